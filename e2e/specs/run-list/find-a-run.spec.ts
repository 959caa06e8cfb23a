// From the home page over the list to a run: filters are in the URL, and everything works by keyboard and on a phone.
import { expect, test } from "../../fixtures/test.ts";

test("the first page leads to the latest verdict and its run", async ({ homePage, runPage, measuredRun }) => {
  await homePage.open();
  await expect(homePage.heading).toContainText("meet your SLA");
  await homePage.latest.getByRole("link", { name: measuredRun.title }).click();
  await expect(runPage.title).toHaveText(measuredRun.title);
});

test("filters and order stand in the address, can be shared, can be cleared, and outlive a look at a run", async ({
  page,
  runListPage,
  runPage,
  finishedRun,
}) => {
  // Invalid filters in the URL are ignored.
  await runListPage.open("?state=asleep&sort=sideways");
  await expect(runListPage.row(finishedRun.title)).toContainText("completed");

  await runListPage.search.fill(finishedRun.title);
  await expect(page).toHaveURL(/[?&]q=/);
  await runListPage.choose("State", "finished");
  await expect(page).toHaveURL(/state=finished/);
  await expect(runListPage.count).toHaveText("1 run match");

  await page.goto(page.url());
  await expect(runListPage.search).toHaveValue(finishedRun.title);
  await expect(runListPage.run(finishedRun.title)).toBeVisible();

  await runListPage.choose("Workload", "Fraud check");
  await expect(page.getByText("No run matches these filters")).toBeVisible();
  await runListPage.clear.click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(runListPage.run(finishedRun.title)).toBeVisible();

  // Columns sort, and the order stands in the address.
  await page.getByRole("button", { name: "Duration" }).click();
  await expect(page).toHaveURL(/sort=-duration/);
  await expect(page.getByRole("columnheader", { name: "Duration" })).toHaveAttribute("aria-sort", "descending");

  // A run leads back to the same list.
  await runListPage.run(finishedRun.title).click();
  await expect(runPage.title).toHaveText(finishedRun.title);
  await page.goBack();
  await expect(page).toHaveURL(/sort=-duration/);
  await expect(runListPage.run(finishedRun.title)).toBeVisible();
});

test("the keyboard alone finds a run", async ({ page, homePage, shell, runPage, finishedRun }) => {
  await homePage.open();
  await expect(homePage.heading).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(shell.skipLink).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(shell.main).toBeFocused();

  await shell.openPalette();
  await shell.paletteField.fill(finishedRun.title);
  await expect(page.getByRole("option", { name: finishedRun.title })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(runPage.title).toHaveText(finishedRun.title);
  await expect(shell.paletteField).toBeHidden();

  await page.keyboard.press("?");
  await expect(shell.help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(shell.help).toBeHidden();
});

test("dark mode is remembered", async ({ page, homePage, shell }) => {
  await homePage.open();
  await expect.poll(() => shell.scheme()).toBe("light");
  await shell.chooseScheme("Dark");
  await expect.poll(() => shell.scheme()).toBe("dark");
  await page.reload();
  expect(await shell.scheme()).toBe("dark");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("runs are cards, the answer comes first, and nothing is wider than the screen", async ({
    page,
    runListPage,
    runPage,
    finishedRun,
  }) => {
    await runListPage.open();
    await expect(runListPage.row(finishedRun.title)).toHaveCSS("display", "grid");
    await runListPage.run(finishedRun.title).click();
    await expect(runPage.title).toHaveText(finishedRun.title);
    await expect(runPage.answer.getByRole("heading", { level: 2 })).toBeInViewport();
    await expect(runPage.chart(/^Read: percentile curve/)).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
