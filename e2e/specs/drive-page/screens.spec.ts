// The drive page is accessible in light and dark, and fits a phone.
import { expect, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("the page has no accessibility finding", async ({ drivePage, page }) => {
    await drivePage.open("intel-dc-s3700", "?with=samsung-830");
    await expect(drivePage.curve).toBeVisible();
    await expect(drivePage.comparability.getByText("can be compared").first()).toBeVisible();
    await drivePage.comparability.getByText("Each pair with its reasons").click();
    await expectAccessibleInBothThemes(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the rating comes first, tables are cards, and nothing is wider than the screen", async ({
    drivePage,
    page,
  }) => {
    await drivePage.open("intel-dc-s3700");
    await expect(drivePage.answer.getByRole("heading", { name: "Holds 6x under 1 of 5" })).toBeInViewport();
    await expect(drivePage.answer.getByRole("table")).toHaveCount(0);
    await expect(drivePage.tests.getByRole("table")).toHaveCount(0);
    await expect(drivePage.tests.getByText("row t2-r23").first()).toBeAttached();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
