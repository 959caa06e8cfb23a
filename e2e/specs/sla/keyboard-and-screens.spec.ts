// The page works by keyboard alone, and on a phone.
import { expect, test } from "../../fixtures/test.ts";

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

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the answer is in the first screen", async ({ slaPage, measuredRun }) => {
    await slaPage.open(`?run=${measuredRun.run_id}`);
    await expect(slaPage.answer.getByRole("heading", { level: 2 }).first()).toBeInViewport();
    await expect(slaPage.configurations.getByText(measuredRun.title).first()).toBeAttached();
  });
});
