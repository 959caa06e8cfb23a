// The first visit: three entry points, or the answer to the user's question; a question saved in the browser, the
// glossary, and a shortlist that links carry.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test("without a question the first page leads in three ways, and answers nothing that was not asked", async ({
  page,
  homePage,
}) => {
  await homePage.open();
  await expect(homePage.heading).toHaveText("Does this hardware meet your SLA, and how sure is that?");
  for (const name of ["Find a drive", "Upload a run", "Check my SLA"])
    await expect(page.getByRole("region", { name })).toBeVisible();
  await expect(page.getByRole("region", { name: "Answer to my question" })).toHaveCount(0);
});

test("with a question the first page answers it, and the drives below are judged by it", async ({
  page,
  homePage,
  measuredRun,
}) => {
  await page.goto("/?reads=2&window=10s&objective=90");
  const answer = page.getByRole("region", { name: "Answer to my question" });
  await expect(homePage.heading).toHaveText(/ of my \d+ latest runs? keeps? it/);
  await expect(answer).toContainText("2 reads one after another within 10\u00a0s, for 90\u00a0% of transactions.");
  await expect(answer.getByRole("link", { name: measuredRun.title })).toBeVisible();
  await expect(page.getByText("Judged by my question, in the largest group of equal conditions")).toBeVisible();
  // No run meets this question, and no verdict on another question is shown instead.
  await page.goto("/?reads=100000&window=1ms&objective=99.9");
  await expect(homePage.heading).toHaveText(/^None of my \d+ latest runs? keeps? it; \d/);
  await expectAccessible(page);
});

test("a question is saved in the browser and asked again", async ({ page }) => {
  await page.goto("/runs?reads=40&window=2s&reserve=0&objective=99");
  const bar = page.getByRole("region", { name: "My question" });
  await bar.getByRole("button", { name: "Save", exact: true }).click();
  await expect(bar.getByRole("button", { name: "Saved", exact: true })).toBeVisible();
  await page.goto("/publications");
  await bar.getByRole("button", { name: "Saved questions (1)" }).click();
  await page.getByRole("menuitem", { name: /^40 reads/ }).click();
  await expect(page).toHaveURL(/reads=40/);
  await expect(bar).toContainText("40 reads");
});

test("the shortlist goes along to other pages and back", async ({ page }) => {
  await page.goto("/drives");
  const pick = page.getByRole("checkbox", { name: /^Put Samsung PM983.* on the shortlist/ }).first();
  await pick.check();
  const tray = page.getByRole("region", { name: "Shortlist", exact: true });
  await expect(tray).toContainText("1 drive");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Publications" }).click();
  await page.getByRole("link", { name: "Shortlist (1)" }).click();
  await expect(page).toHaveURL(/pick=samsung-pm983/);
  await tray.getByRole("button", { name: "Clear the shortlist" }).click();
  await expect(tray).toBeHidden();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Publications" }).click();
  await expect(page.getByRole("link", { name: /^Shortlist/ })).toBeHidden();
});
