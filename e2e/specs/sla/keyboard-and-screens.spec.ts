// The page works by keyboard alone, in light and dark, and on a phone.
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

test("the keyboard alone reaches the page and asks", async ({ page, homePage, shell, slaPage, finishedRun }) => {
  expect(finishedRun.state).toBe("finished");
  await homePage.open();
  await expect(homePage.heading).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(slaPage.heading).toBeVisible();
  await expect(slaPage.answer).toBeVisible();

  await page.keyboard.press("/");
  await expect(slaPage.reads.button).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(slaPage.reads.field).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("300");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/reads=300/);
  await expect(slaPage.reads.button).toHaveText("300 reads");
  await expect(slaPage.reads.button).toBeFocused();

  await shell.openPalette();
  await shell.paletteField.fill("my sla");
  await expect(page.getByRole("option", { name: /My SLA/ })).toHaveAttribute("aria-selected", "true");
});

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("the page has no accessibility finding", async ({ page, slaPage, measuredRun }) => {
    await slaPage.open(`?run=${measuredRun.run_id}&also=2_read&headroom=60`);
    await expect(slaPage.answer).toBeVisible();
    await expect(slaPage.picture).toBeVisible();
    await expect(slaPage.configuration(measuredRun.title).first()).toBeAttached();
    await expectAccessibleInBothThemes(page);
    await slaPage.reads.fill("many");
    await expect(slaPage.sentence).toContainText("“many” is not a whole number.");
    await expectAccessible(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the answer is in the first screen, and nothing is wider than the screen", async ({
    page,
    slaPage,
    measuredRun,
  }) => {
    await slaPage.open(`?run=${measuredRun.run_id}`);
    await expect(slaPage.answer.getByRole("heading", { level: 2 }).first()).toBeInViewport();
    await expect(slaPage.configurations.getByText(measuredRun.title).first()).toBeAttached();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
