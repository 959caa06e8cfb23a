// From a URL to the evidence: a drive's highest load, its load curve as a table, and the document row with the
// evidence.
import { readFile } from "node:fs/promises";
import { expect, test } from "../../fixtures/test.ts";

test("a drive is opened by its address, read as table, file and badge, and its evidence found", async ({
  page,
  product,
  drivePage,
  publicationPage,
}) => {
  await drivePage.open("intel-dc-s3700");
  await expect(drivePage.heading("Intel DC S3700")).toBeVisible();
  await expect(page).toHaveTitle("Intel DC S3700 · Tailroom");
  await expect(drivePage.answer.getByRole("heading")).toHaveText("Holds 6x under 1 of 5 sets of conditions.");

  const total = drivePage.ladder.getByRole("row", { name: /80 % usable · response time \(total\)/ });
  await expect(total).toContainText("Fails at 6x; no load is known that it passes");
  await expect(total.getByRole("cell").nth(2)).toContainText("failed");
  await expect(total.getByRole("cell").nth(2)).toContainText("≥ 5.3 %");

  await test.step("the curve as a table, and the file that it shows", async () => {
    await drivePage.curve.getByRole("button", { name: "View as table" }).click();
    const curve = drivePage.curve.getByRole("table");
    await expect(curve.getByRole("columnheader").first()).toHaveText("load_multiple");
    // The share at 1 ms has only a lower bound, since the old tool's 1 ms labels begin at 2 ms.
    const six = curve.getByRole("row").filter({ has: page.getByRole("cell", { name: "6", exact: true }) });
    await expect(six).toContainText("0.0535");
    await drivePage.curve.getByRole("button", { name: "Download" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "CSV, exact values" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    const lines = text.trim().split("\r\n");
    expect(lines[0]).toMatch(/^load_multiple,/);
    expect(lines.map((line) => line.split(",")[0]).slice(1)).toEqual(["1", "3", "6", "12"]);
    expect(text).toContain("0.0535,1");
  });

  await test.step("another drive's tests say whether they may be compared, and why not", async () => {
    await expect(drivePage.comparability).toContainText("not comparable because");
    await drivePage.comparability.getByRole("combobox", { name: "and" }).fill("samsung 830");
    await page.getByRole("option", { name: "Samsung 830" }).click();
    await expect(page).toHaveURL(/with=samsung-830/);
    const pairs = drivePage.comparability.getByRole("row");
    await expect(pairs.filter({ hasText: "can be compared" }).first()).toBeVisible();
    const other = pairs.filter({ hasText: "not comparable because different times were taken" });
    await expect(other.first()).toBeVisible();
  });

  await test.step("findings about its evidence say who found them, and lead to the rows", async () => {
    await expect(drivePage.audit.getByText("computed", { exact: true }).first()).toBeVisible();
    await expect(drivePage.audit).toContainText("5 of 31 rows pass by the device alone and fail by the whole latency");
    await expect(drivePage.audit.getByRole("link", { name: /t2-r23 6x/ }).first()).toHaveAttribute(
      "href",
      "/publications/aerospike-act-blog-2012#t2-r23",
    );
  });

  await test.step("the badge is a picture, and the text that embeds it names this drive", async () => {
    const picture = drivePage.badge.getByRole("img", { name: "Tailroom rating of Intel DC S3700" });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
      .toBe(true);
    await expect(drivePage.badge).toContainText(`<a href="${product.url}/drives/intel-dc-s3700"><img src=`);
    await drivePage.badge.getByText("Markdown", { exact: true }).click();
    await expect(drivePage.badge).toContainText(`](${product.url}/drives/intel-dc-s3700)`);
  });

  await test.step("the evidence, and back", async () => {
    const evidence = drivePage.tests.getByRole("row").filter({ hasText: "≥ 5.3 %" });
    await expect(evidence).toContainText("FAIL");
    await evidence.getByRole("link", { name: "row t2-r23" }).click();
    await expect(page).toHaveURL(/\/publications\/aerospike-act-blog-2012#t2-r23$/);
    const row = publicationPage.row("t2-r23");
    await expect(row).toBeInViewport();
    await expect(row).toHaveAttribute("data-target", "true");
    await expect(row).toBeFocused();
    await expect(row).toContainText("5.4 %");
    await expect(row).toContainText("2.92 %");

    await row.getByRole("link", { name: "Intel S3700" }).click();
    await expect(drivePage.heading("Intel DC S3700")).toBeVisible();
  });
});

test("the threshold of the curve and the rules stand in the address", async ({ page, drivePage }) => {
  await drivePage.open("intel-dc-s3700", "?over=8000000&rules=act-limits");
  await expect(page.getByRole("figure", { name: /share over 8 ms by load/ })).toBeVisible();
  await expect(drivePage.answer.getByRole("combobox", { name: "Rule set" })).toHaveValue("ACT limits");
  await drivePage.curve.getByText("64 ms", { exact: true }).click();
  await expect(page).toHaveURL(/over=64000000/);
  await expect(page.getByRole("figure", { name: /share over 64 ms by load/ })).toBeVisible();
});

test("a drive without tests shows its specification with sources, and claims nothing", async ({ drivePage }) => {
  await drivePage.open("kioxia-cd8p-r");
  await expect(drivePage.answer).toContainText("nothing is said about what it holds");
  await expect(drivePage.curve).toHaveCount(0);
  const power = drivePage.specification.getByRole("row", { name: /^Power / });
  await expect(power).toContainText("19 W");
  await expect(power).toContainText("typical");
  await expect(power.getByRole("link")).toHaveAttribute("href", "/publications/kioxia-cd8p-ycsb-2025");
});

test.describe("a drive that there is not", () => {
  test.use({ expectedErrors: /404/ });

  test("says so, and where to go", async ({ page, drivePage }) => {
    await drivePage.open("no-such-drive");
    await expect(drivePage.heading("There is no such drive")).toBeVisible();
    await expect(page.getByText("“no-such-drive”")).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Show all drives" }).click();
    await expect(page).toHaveURL(/\/drives$/);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the rating comes first, and tables are cards", async ({ drivePage }) => {
    await drivePage.open("intel-dc-s3700");
    await expect(drivePage.answer.getByRole("heading", { name: "Holds 6x under 1 of 5" })).toBeInViewport();
    await expect(drivePage.answer.getByRole("table")).toHaveCSS("display", "block");
    await expect(drivePage.tests.getByRole("table")).toHaveCSS("display", "block");
    await expect(drivePage.tests.getByText("row t2-r23").first()).toBeAttached();
  });
});
