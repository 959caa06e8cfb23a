// The question is set once, below the header of any page: runs and drives are judged by it, links carry it, and it can
// be removed.
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

test("a question set on a run is answered there, on a drive and in lists, until it is taken away", async ({
  page,
  finishedRun,
  measuredRun,
  shell,
  homePage,
  runListPage,
}) => {
  await page.goto(`/runs/${finishedRun.run_id}`);
  const bar = page.getByRole("region", { name: "My question" }).first();
  await expect(bar).toContainText("none set");
  await bar.getByRole("button", { name: "Set my question" }).click();
  await bar.getByLabel("How many reads").fill("3");
  await bar.getByRole("button", { name: "Ask this everywhere" }).click();
  await expect(page).toHaveURL(/reads=3(&|$)/);
  await expect(page.getByRole("main").getByText(/^My question: 3 reads one after another within 1\ss/)).toBeVisible();
  await expectAccessible(page);

  await bar.getByRole("button", { name: "Change" }).click();
  await bar.getByText("limits on slow reads").click();
  await bar.getByRole("button", { name: "Ask this everywhere" }).click();
  await expect(page.getByRole("main").getByText(/^My question: slow reads: <\s5\s% over 1\sms/)).toBeVisible();

  await shell.link("Drives").click();
  await expect(page).toHaveURL(/\/drives\?limits=/);
  await page.getByRole("rowheader").getByRole("link").first().click();
  const answer = page.getByRole("region", { name: "Which load does it hold for my question?" });
  await expect(answer).toContainText(/Holds \d+x/);
  await expectAccessible(page);

  await page.getByRole("link", { name: "What meets it?" }).click();
  await expect(page.getByRole("region", { name: "My limits" })).toBeVisible();
  await expect(page.getByRole("region", { name: "What meets it?" })).toBeVisible();

  await shell.link("Runs").click();
  await expect(page.getByRole("columnheader", { name: "My question" })).toBeVisible();
  for (const run of [finishedRun, measuredRun])
    await expect(runListPage.row(run.title)).toContainText(/PASS|FAIL|Undecided/);
  await page
    .getByRole("banner")
    .getByRole("link", { name: /Tailroom/ })
    .click();
  await expect(homePage.latest.getByText("My question").first()).toBeVisible();
  await shell.link("Runs").click();
  await page.getByRole("region", { name: "My question" }).getByRole("button", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/runs$/);
});
