// From the home page to a drive and its evidence: found by name, filtered, under stated conditions, with the number of
// hidden rows and the reason. All of it is in the URL.
import { expect, test } from "../../fixtures/test.ts";
import { OF_2012, OVER_PROVISIONED } from "./conditions.ts";

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

test("states are different words, ties are ranges, a drive is found by name, and a cell leads to its evidence", async ({
  page,
  api,
  drivesPage,
}) => {
  const drive = "Intel DC S3700";
  await drivesPage.open(OVER_PROVISIONED);
  await expect(drivesPage.cell(drive, "6x")).toHaveAccessibleName(/^6x passed, over 1\sms: 1\.5–1\.7/);
  await expect(drivesPage.cell(drive, "3x")).toHaveAccessibleName(/^3x bounded, over 1\sms: ≤\s1\.7/);
  await expect(drivesPage.cell("Samsung 843T", "6x")).toHaveAccessibleName(/^6x never tested/);
  await expect(drivesPage.cell("Intel DC S3500", "3x")).toHaveAccessibleName(/^3x failed/);
  await expect(drivesPage.row(drive)).toContainText("1–3");
  await expect(drivesPage.row("Samsung 843T")).toContainText("1–2");
  await expect(drivesPage.row("LiteOn EP1-KB480")).toContainText("2–3");

  // The old tool's 1 ms labels begin at 2 ms, so the share has only a lower bound: it fails or stays undecided.
  await drivesPage.open(OF_2012);
  await expect(drivesPage.cell(drive, "3x")).toHaveAccessibleName(/^3x undecided, over 1\sms: ≥\s1\.5/);
  await expect(drivesPage.cell(drive, "6x")).toHaveAccessibleName(/^6x failed, over 1\sms: ≥\s5\.3/);
  await expect(drivesPage.cell("Samsung 830", "12x")).toHaveAccessibleName(/^12x bounded/);
  await expect(drivesPage.cell("OCZ Deneva 2 SLC", "12x")).toHaveAccessibleName(/^12x never tested/);

  // A drive is found by name, and a cell leads to its evidence.
  const { total_unfiltered: all } = await api.leaderboard();
  await drivesPage.search.fill("s3700");
  await expect(page).toHaveURL(/[?&]search=s3700(&|$)/);
  await expect(drivesPage.rows).toHaveCount(1);
  await expect(drivesPage.count).toHaveText(`1 of ${all} rows`);
  await drivesPage.cell("Intel DC S3700", "6x").hover();
  await expect(drivesPage.card).toContainText("6x failed");
  await expect(drivesPage.card).toContainText(/over 1\sms\s*≥\s5\.3\s%\s*<\s5\s%/);
  await expect(drivesPage.card).toContainText("tested by a third party");
  await drivesPage.cell("Intel DC S3700", "6x").click();
  await expect(page).toHaveURL(/\/drives\/intel-dc-s3700\?test=aerospike-act-blog-2012/);
  await expect(page.getByRole("heading", { level: 1, name: /S3700/ })).toBeVisible();
  await page.goBack();
  await expect(drivesPage.search).toHaveValue("s3700");
});

test("filters and equal conditions count what they leave, stand in the address and can be taken away", async ({
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
  await drivesPage.filters.getByRole("textbox", { name: "At least" }).fill("1.5 TB");
  await drivesPage.filters.getByRole("button", { name: /^Show \d+ rows$/ }).click();
  await expect(drivesPage.filters).toBeHidden();
  const names = await drivesPage.names();
  expect(names.sort()).toEqual(["Intel DC P4610", "Intel DC P4610", "Samsung PM983"]);
  await expect(drivesPage.count).toHaveText(`3 of ${all} rows`);

  await page.reload();
  await expect(drivesPage.rows).toHaveCount(3);
  await drivesPage.chips.getByRole("button", { name: "Take away the filter Vendor: Intel" }).click();
  await expect(drivesPage.rows).toHaveCount(1);
  await drivesPage.chips.getByRole("button", { name: "Clear all" }).click();
  await expect(drivesPage.count).toHaveText(`${total} of ${all} rows`);
  await expect(page).toHaveURL(/\/drives(\?view=table)?$/);

  // Equal conditions say what they hide and why; without them every row says its own.
  await expect(drivesPage.conditions).toContainText(
    "What was timed is not stated, over-provisioning not stated, ACT 2 to 5, records of 1.5 KB",
  );
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
  const { total, total_unfiltered: all } = await api.leaderboard(OVER_PROVISIONED);
  await drivesPage.open();
  await page.getByRole("combobox", { name: "Conditions shown" }).click();
  await page
    .getByRole("option", { name: /^timing not stated · over-provisioned · generation of the tool not stated \(\d+\)/ })
    .click();
  await expect(page).toHaveURL(/op=over_provisioned&metric=unstated&generation=unstated/);
  await expect(drivesPage.count).toHaveText(`${total} of ${all} rows`);
  await expect(drivesPage.conditions).toContainText(
    "What was timed is not stated, over-provisioned, generation of the",
  );
  await expect(drivesPage.row("Intel DC S3700")).toContainText(/Holds 6x.*1–3/);
  // If no drive holds a load, there is no rank column.
  await drivesPage.open("?metric=device&op=over_provisioned&generation=before-2.0");
  await expect(drivesPage.row("Intel DC S3700")).toContainText("Fails 12x");
  await expect(drivesPage.grid.getByRole("columnheader", { name: "Rank" })).toHaveCount(0);
});
