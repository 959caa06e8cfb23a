// From the first page to a drive and its evidence: found by name, filtered, under conditions that are named, with what those
// hide and why. All of it stands in the address.
import { expect, test } from "../../fixtures/test.ts";

test("the first page leads to the leaderboard, which answers in its first lines", async ({
  page,
  homePage,
  drivesPage,
}) => {
  await homePage.open();
  const top = page.getByRole("region", { name: "Which drive holds which load" });
  await expect(top.getByRole("row", { name: /Intel Optane SSD DC P4800X 750 GB Holds 145x/ })).toBeVisible();
  await top.getByRole("link", { name: "All drives" }).click();
  await expect(drivesPage.heading).toBeVisible();
  await expect(
    page.getByRole("heading", { name: /^\d+ of \d+ drives kept it in their tests, at loads from \d+x to \d+x/ }),
  ).toBeVisible();
  const nvme = page.getByRole("region", { name: /^NVMe/ }).first();
  await expect(nvme.getByRole("img", { name: /^Holds \d/ }).first()).toBeVisible();
  await page.getByText("one table", { exact: true }).click();
  await expect(page.getByText(/^\d+ drives tie for first: the tests cannot separate them/)).toBeVisible();
});

test("passed, failed, bounded and never tested are different words, and ties are ranges", async ({ drivesPage }) => {
  await drivesPage.open();
  const drive = "Intel DC S3700";
  await expect(drivesPage.cell(drive, "3x")).toHaveAccessibleName(/^3x passed, over 1\sms: 1\.5–1\.7/);
  await expect(drivesPage.cell(drive, "6x")).toHaveAccessibleName(/^6x failed, over 1\sms: 5\.3–5\.5/);
  await expect(drivesPage.cell("Samsung 830", "12x")).toHaveAccessibleName(/^12x bounded/);
  await expect(drivesPage.cell("OCZ Deneva 2 SLC", "12x")).toHaveAccessibleName(/^12x never tested/);
  for (const tied of [drive, "Samsung 830", "OCZ Deneva 2 SLC"])
    await expect(drivesPage.row(tied)).toContainText("1–4");
  await expect(drivesPage.row("Samsung 840 Pro")).toContainText("4–10");
});

test("a drive is found by name, and a cell leads to its evidence", async ({ page, api, drivesPage }) => {
  const { total_unfiltered: all } = await api.leaderboard();
  await drivesPage.open();
  await drivesPage.search.fill("s3700");
  await expect(page).toHaveURL(/[?&]search=s3700(&|$)/);
  await expect(drivesPage.rows).toHaveCount(1);
  await expect(drivesPage.count).toHaveText(`1 of ${all} rows`);
  await drivesPage.cell("Intel DC S3700", "6x").hover();
  await expect(drivesPage.card).toContainText("6x failed");
  await expect(drivesPage.card).toContainText(/over 1\sms\s*5\.3–5\.5\s%\s*<\s5\s%/);
  await expect(drivesPage.card).toContainText("published by a third party");
  await drivesPage.cell("Intel DC S3700", "6x").click();
  await expect(page).toHaveURL(/\/drives\/intel-dc-s3700\?test=aerospike-act-blog-2012/);
  await expect(page.getByRole("heading", { level: 1, name: /S3700/ })).toBeVisible();
  await page.goBack();
  await expect(drivesPage.search).toHaveValue("s3700");
});

test("filters count what they leave, stand in the address and can be taken away one by one", async ({
  page,
  api,
  drivesPage,
}) => {
  const { total, total_unfiltered: all } = await api.leaderboard();
  await drivesPage.open();
  await drivesPage.openFilters();
  await drivesPage.filters.getByRole("checkbox", { name: /^Samsung \d+$/ }).check();
  await expect(page).toHaveURL(/[?&]vendor=Samsung(&|$)/);
  await drivesPage.filters.getByRole("checkbox", { name: /^Intel/ }).check();
  await expect(page).toHaveURL(/vendor=Samsung\*Intel/);
  await drivesPage.filters.getByRole("textbox", { name: "At least" }).fill("200 GB");
  await drivesPage.filters.getByRole("button", { name: /^Show \d+ rows$/ }).click();
  await expect(drivesPage.filters).toBeHidden();
  const names = await drivesPage.names();
  expect(names.sort()).toEqual(["Intel DC S3700", "Samsung 830", "Samsung 840", "Samsung 840 Pro"]);
  await expect(drivesPage.count).toHaveText(`4 of ${all} rows`);

  await page.reload();
  await expect(drivesPage.rows).toHaveCount(4);
  await drivesPage.chips.getByRole("button", { name: "Take away the filter Vendor: Intel" }).click();
  await expect(drivesPage.rows).toHaveCount(3);
  await drivesPage.chips.getByRole("button", { name: "Clear all" }).click();
  await expect(drivesPage.count).toHaveText(`${total} of ${all} rows`);
  await expect(page).toHaveURL(/\/drives(\?view=table)?$/);
});

test("equal conditions say what they hide and why; without them every row says its own", async ({
  page,
  api,
  drivesPage,
}) => {
  const { total, total_unfiltered: all } = await api.leaderboard();
  await drivesPage.open();
  await expect(drivesPage.conditions).toContainText("Response time (total), over-provisioned, ACT before 2.0");
  await drivesPage.conditions.getByText(`Hides ${all - total} rows: why?`).click();
  const reasons = drivesPage.conditions.getByRole("listitem");
  await expect(reasons.filter({ hasText: "service time (device only)" })).toHaveText(/^\d+ /);
  const counts = (await reasons.allTextContents()).map((text) => Number(/^\d+/.exec(text)?.[0]));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(all - total);

  await drivesPage.equal.uncheck();
  await expect(page).toHaveURL(/[?&]equal=no(&|$)/);
  await expect(drivesPage.count).toHaveText(`${all} rows`);
  await expect(drivesPage.conditions).toContainText("do not read an order across them");
  await drivesPage.search.fill("840 pro");
  await expect(drivesPage.row("Samsung 840 Pro").first()).toContainText("over-provisioned (80\u00a0% usable)");
});

test("another class of conditions can be looked at, and its ranks are its own", async ({ page, api, drivesPage }) => {
  const { total, total_unfiltered: all } = await api.leaderboard("?metric=device");
  await drivesPage.open();
  await page.getByRole("combobox", { name: "Conditions shown" }).click();
  await page
    .getByRole("option", { name: /^service time \(device only\) · over-provisioned · ACT before 2.0 \(\d+\)/ })
    .click();
  await expect(page).toHaveURL(/metric=device/);
  await expect(drivesPage.count).toHaveText(`${total} of ${all} rows`);
  await expect(drivesPage.conditions).toContainText("Service time (device only), over-provisioned, ACT before 2.0");
  await expect(drivesPage.row("Intel DC S3700")).toContainText("Holds 6x · fails 12x");
});
