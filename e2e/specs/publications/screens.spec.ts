// The publication pages are accessible in light and dark, and fit a phone.
import { expect, expectAccessibleInBothThemes, test } from "../../fixtures/test.ts";

test.describe("in light and dark", () => {
  test.use({ reducedMotion: "reduce" });

  test("a document has no accessibility finding, with rows marked and a row chosen", async ({
    page,
    publicationPage,
  }) => {
    await publicationPage.open("aerospike-act-blog-2012");
    await publicationPage.findings
      .getByRole("link", { name: /^Mark the \d+ rows/ })
      .first()
      .click();
    await expect(page.locator("td[data-marked]").first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("rows are cards, and nothing is wider than the screen", async ({ page, publicationPage }) => {
    await publicationPage.open("kioxia-cd8p-ycsb-2025", "#test2-r3");
    const row = publicationPage.row("test2-r3");
    await expect(row).toBeInViewport();
    await expect(row).toContainText("1,646,728 ops/s");
    await expect(publicationPage.table("Test 2: Database Throughput").getByRole("table")).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
