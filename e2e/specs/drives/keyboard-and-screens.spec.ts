// The matrix by keyboard, for screen readers, in light and dark, and on a phone.
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";
import { OF_2012 } from "./conditions.ts";

test("the grid is one stop of the Tab key; arrows walk it, what a cell rests on follows, Enter opens the evidence", async ({
  page,
  api,
  drivesPage,
}) => {
  const { total } = await api.leaderboard(OF_2012);
  await drivesPage.open(OF_2012);
  await expect(drivesPage.rows).toHaveCount(total);
  await expect(drivesPage.grid).toHaveAttribute("aria-rowcount", String(total + 1));
  await drivesPage.row("OCZ Deneva 2 SLC").getByRole("link").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(":focus")).toHaveAccessibleName(/^1x undecided/);
  await expect(drivesPage.card).toContainText("1x undecided");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(page.locator(":focus")).toHaveAccessibleName(/^6x failed/);
  await expect(drivesPage.card).toContainText("Intel DC S3700");
  await page.keyboard.press("Escape");
  await expect(drivesPage.card).toBeHidden();

  await page.keyboard.press(" ");
  await expect(drivesPage.pick("Intel DC S3700")).toBeChecked();
  await page.keyboard.press("Control+End");
  await expect(page.locator(":focus")).toHaveAttribute("data-row", String(total - 1));
  await page.keyboard.press("Control+Home");
  await expect(page.locator(":focus")).toHaveAttribute("type", "checkbox");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/sort=drive/);
  await expect(drivesPage.grid.getByRole("columnheader", { name: "Drive" })).toHaveAttribute("aria-sort", "ascending");
  await expect(drivesPage.row("Intel 320")).toHaveAttribute("aria-rowindex", "2");

  await drivesPage.cell("Intel DC S3700", "6x").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/drives\/intel-dc-s3700\?test=/);
});

test("the page is reached from the keyboard, and its field by a key", async ({ page, homePage, drivesPage }) => {
  await homePage.open();
  await expect(homePage.heading).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(drivesPage.heading).toBeVisible();
  await page.keyboard.press("/");
  await expect(drivesPage.search).toBeFocused();
});

test.describe("with little motion", () => {
  test.use({ reducedMotion: "reduce" });

  test("rows of different conditions, what a cell rests on, the shortlist, filters and none have no accessibility finding", async ({
    page,
    api,
    drivesPage,
  }) => {
    await drivesPage.open("?equal=no&search=s3700&reads=250");
    await drivesPage.rows.nth(0).getByRole("checkbox").check();
    await drivesPage.rows.nth(1).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Compare 2" }).click();
    await expect(drivesPage.compare.getByRole("table")).toBeVisible();
    await drivesPage.cell("Intel DC S3700", "6x").first().focus();
    await expect(drivesPage.card).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press("Escape");
    await drivesPage.openFilters();
    await expectAccessible(page);
    await drivesPage.open("?search=no-such-drive");
    await expect(page.getByText(`None of ${(await api.leaderboard()).total_unfiltered} rows matches`)).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("rows are cards of the two columns that decide, and nothing is wider than the screen", async ({
    page,
    drivesPage,
  }) => {
    await drivesPage.open();
    await expect(drivesPage.grid).toHaveCount(0);
    const card = drivesPage.cards.getByRole("listitem").filter({ hasText: "Intel Optane SSD DC P4800X" }).first();
    await expect(card).toContainText("Holds 145x");
    await expect(card).toContainText(/1–\d+ of \d+/);
    await drivesPage.pick("Intel Optane SSD DC P4800X").check();
    await drivesPage.pick("Samsung PM983").check();
    await page.getByRole("button", { name: "Compare 2" }).click();
    await expect(drivesPage.compare.getByRole("table")).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page, "layout");
  });
});
