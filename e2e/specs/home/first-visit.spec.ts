// The first visit: three steps that can be skipped and stay away, a question that is saved in the browser, the glossary, and a shortlist that
// travels.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test("three steps lead in, can be skipped, and do not come back", async ({ page, homePage }) => {
  await homePage.open();
  const tour = page.getByRole("region", { name: "First steps" });
  await expect(tour).toContainText("Step 1 of 3");
  await tour.getByRole("button", { name: "Next" }).click();
  await tour.getByRole("button", { name: "Next" }).click();
  await expect(tour).toContainText("Step 3 of 3");
  await expectAccessible(page);
  await tour.getByRole("link", { name: "glossary" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "What the words mean" })).toBeVisible();
  await expectAccessible(page);
  await homePage.open();
  await tour.getByRole("button", { name: "Skip" }).click();
  await expect(tour).toBeHidden();
  await homePage.open();
  await expect(homePage.heading).toBeVisible();
  await expect(tour).toBeHidden();
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
