// A finished run: its charts can be read by keyboard and as tables, it says what it used of its budgets, and the
// displayed selection is in the URL.
import { expect, test } from "../../fixtures/test.ts";

test("every chart can be read with the keyboard, as a table and as a file, and what is shown stands in the address", async ({
  page,
  runPage,
  finishedRun,
}) => {
  await runPage.open(finishedRun.run_id);
  await expect(runPage.title).toHaveText(finishedRun.title);
  const charts = page.getByRole("figure");
  await expect(charts.first()).toBeVisible();
  for (const chart of await charts.all()) {
    const slider = chart.getByRole("slider");
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(slider).toHaveAttribute("aria-valuetext", /\d/);
    await chart.getByRole("button", { name: "View as table" }).click();
    await expect(chart.getByRole("table")).toBeVisible();
  }

  // A run of seconds says what it used of its budgets, and why no more can be told.
  await expect(runPage.overTime.getByRole("rowheader", { name: "Error budget used" })).toBeVisible();
  await expect(runPage.overTime.getByRole("columnheader", { name: /over 1\sms · limit 5\s%/ })).toBeVisible();
  const untold = runPage.overTime.getByRole("listitem");
  await expect(untold.filter({ hasText: "Steady state" })).toContainText("too few rounds");
  await expect(untold.filter({ hasText: "Worst hour" })).toContainText("no full 1 h");

  // A chart is saved as it is shown.
  const chart = runPage.chart(/^Read: rate against target/);
  await chart.getByRole("button", { name: "Download" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /^CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/rate-against-target.*\.csv$/);

  // Operation and clock stand in the address.
  await runPage.open(finishedRun.run_id, "?operation=large-block-read&clock=service");
  await expect(runPage.chart(/^Large-block read: service time over time/)).toBeVisible();
  await page.getByRole("radiogroup", { name: "Operation" }).getByText("Large-block write").click();
  await expect(page).toHaveURL(/operation=large-block-write/);
  await expect(runPage.chart(/^Large-block write: service time over time/)).toBeVisible();
});
