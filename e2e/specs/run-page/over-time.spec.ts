// A run over time: the results that a short run allows, and why others are missing.
import { expect, test } from "../../fixtures/test.ts";

test("a run of seconds says what it used of its budgets, and why no more can be told", async ({
  runPage,
  finishedRun,
}) => {
  await runPage.open(finishedRun.run_id);
  await expect(runPage.overTime.getByRole("rowheader", { name: "Error budget used" })).toBeVisible();
  await expect(runPage.overTime.getByRole("columnheader", { name: /over 1\sms · limit 5\s%/ })).toBeVisible();
  const untold = runPage.overTime.getByRole("listitem");
  await expect(untold.filter({ hasText: "Steady state" })).toContainText("too few rounds");
  await expect(untold.filter({ hasText: "Worst hour" })).toContainText("no full 1 h");
});
