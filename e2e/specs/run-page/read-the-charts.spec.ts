// A finished run: its charts can be read by keyboard and as tables, and the displayed selection is in the URL.
import { expect, test } from "../../fixtures/test.ts";

test("every chart can be read with the keyboard and as a table", async ({ page, runPage, finishedRun }) => {
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
});

test("operation and clock stand in the address", async ({ page, runPage, finishedRun }) => {
  await runPage.open(finishedRun.run_id, "?operation=large-block-read&clock=service");
  await expect(runPage.chart(/^Large-block read: service time over time/)).toBeVisible();
  await page.getByRole("radiogroup", { name: "Operation" }).getByText("Large-block write").click();
  await expect(page).toHaveURL(/operation=large-block-write/);
  await expect(runPage.chart(/^Large-block write: service time over time/)).toBeVisible();
});

test("a chart is saved as it is shown", async ({ page, runPage, finishedRun }) => {
  await runPage.open(finishedRun.run_id);
  const chart = runPage.chart(/^Read: rate against target/);
  await chart.getByRole("button", { name: "Download" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /^CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/rate-against-target.*\.csv$/);
});
