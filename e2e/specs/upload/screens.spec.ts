// The page in light and dark and on a phone, without axe findings, and by keyboard.
import { Desk } from "../../fixtures/samples.ts";
import { expect, expectAccessible, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

const damaged = (lines: string[]): string[] => {
  const at = lines.indexOf("after 30 sec:") + 2;
  return lines.with(at, `${lines[at]} ~broken~`);
};

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("with a run that has problems the page has no accessibility finding", async ({ page, uploadPage }) => {
    // Runs of other journeys are judged first.
    test.slow();
    await uploadPage.open();
    await uploadPage.choose(desk.actLog("axe.log", damaged));
    const run = uploadPage.run("act 6.6: axe.log");
    await expect(run.getByRole("region", { name: "Answer", exact: true })).toBeVisible({ timeout: 90_000 });
    await expect(run.getByRole("figure", { name: /percentile curve/ })).toBeVisible();
    await expect(uploadPage.files.getByRole("group", { name: /lines around/ }).first()).toBeVisible();
    await run.getByLabel("Cores").fill("many");
    await run.getByRole("button", { name: "Save answers" }).click();
    await expect(run).toContainText("“many” is not a whole number.");
    await expectAccessibleInBothThemes(page);
    await run.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByRole("dialog", { name: "Publish this run" })).toBeVisible();
    await expectAccessible(page);
  });
});

test("the keyboard alone leads there, and to the picker", async ({ page, homePage, shell, uploadPage }) => {
  await homePage.open();
  await expect(homePage.heading).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await expect(uploadPage.heading).toBeVisible();
  const chooser = page.waitForEvent("filechooser");
  await uploadPage.area.getByRole("button", { name: "Choose files" }).focus();
  await page.keyboard.press("Enter");
  expect((await chooser).isMultiple()).toBe(true);
  await shell.openPalette();
  await shell.paletteField.fill("send result");
  await expect(page.getByRole("option", { name: /Send result files/ })).toHaveAttribute("aria-selected", "true");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("nothing is wider than the screen", async ({ page, uploadPage }) => {
    await uploadPage.open();
    await uploadPage.choose(desk.actLog("phone.log", damaged));
    const run = uploadPage.run("act 6.6: phone.log");
    await expect(run.getByRole("figure", { name: /percentile curve/ })).toBeVisible({ timeout: 60_000 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expectAccessible(page, "layout");
  });
});
