// From ticks to a printed decision: few keys to the comparison, one printed page for a buyer, a short table with the
// question.
import { readFileSync } from "node:fs";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const QUESTION = "reads=20&window=100ms&objective=99";

test("two ticks and six keys lead to the comparison", async ({ page, drivesPage }) => {
  await page.goto(`/drives?${QUESTION}`);
  await expect(drivesPage.heading).toBeVisible();
  // Rows that are judged meanwhile may move to another group.
  await expect(page.getByText(/not judged yet/)).toHaveCount(0);
  await drivesPage.pick("Samsung PM983").check();
  await drivesPage.pick("Intel DC P4610").focus();
  const keys = ["Space", "Tab", "Tab", "Enter"];
  // The compare button appears with the second tick.
  const compare = page.getByRole("button", { name: "Compare these 2" });
  for (const key of keys) {
    if (key === "Enter") await expect(compare).toBeFocused();
    await page.keyboard.press(key);
    await expect(compare).toBeVisible();
  }
  await expect(drivesPage.compare).toBeVisible();
  expect(keys.length).toBeLessThanOrEqual(6);
  await expect(page).toHaveURL(/compare=open/);
  await expect(drivesPage.compare).toContainText(
    "20 reads one after another within 100\u00a0ms, for 99\u00a0% of transactions.",
  );
  await expectAccessible(page);
});

test("the sheet for a buyer is the shortlist alone: question, table, evidence, date", async ({ page, drivesPage }) => {
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  await page.goto(`/drives?${QUESTION}`);
  await expect(drivesPage.heading).toBeVisible();
  await drivesPage.pick("Samsung PM983").check();
  await drivesPage.pick("Intel DC P4610").check();
  await page.getByRole("button", { name: "Compare 2", exact: true }).click();
  await expect(drivesPage.compare.getByRole("row", { name: /^Rating/ })).toBeVisible();
  await drivesPage.compare.getByRole("button", { name: "Print the sheet" }).click();
  await page.emulateMedia({ media: "print" });
  await expect(drivesPage.heading).toBeHidden();
  await expect(drivesPage.compare).toContainText("20 reads one after another");
  await expect(drivesPage.compare.getByText(/ 20\d\d, .*\/drives\?reads=20/)).toBeVisible();
  await expect(drivesPage.compare.getByRole("row", { name: /^Evidence/ })).toContainText("third party");
  await expect(drivesPage.compare.getByRole("row", { name: /^Price/ }).first()).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  await expect(drivesPage.heading).toBeVisible();
});

test("the axis of loads keeps to its column on paper", async ({ page, drivesPage }) => {
  await page.goto("/drives");
  await expect(drivesPage.heading).toBeVisible();
  await page.setViewportSize({ width: 718, height: 1_047 });
  await page.emulateMedia({ media: "print" });
  const axes = page.locator("th", { hasText: "100x" });
  await expect(axes.first()).toBeVisible();
  const broken = await axes.evaluateAll((heads) =>
    heads.flatMap((head) => {
      const right = head.getBoundingClientRect().right;
      return [...head.querySelectorAll("span > span")]
        .filter((tick) => tick.getClientRects().length > 0)
        .filter((tick) => tick.getBoundingClientRect().height > 20 || tick.getBoundingClientRect().right > right + 8)
        .map((tick) => tick.textContent);
    }),
  );
  expect(broken).toEqual([]);
});

test("the short table has ten columns, the question first, and the rows on screen", async ({ page, drivesPage }) => {
  await page.goto(`/drives?${QUESTION}&vendor=Samsung`);
  await expect(drivesPage.count).toHaveText(/^\d+ of/);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /^Short CSV/ }).click();
  const [header = "", ...lines] = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(header.split(",")).toHaveLength(10);
  expect(header).toMatch(/^question,drive,/);
  expect(lines.length).toBe(Number(/^(\d+) of/.exec((await drivesPage.count.textContent()) ?? "")?.[1]));
  for (const line of lines) expect(line).toContain("20 reads one after another within 100 ms");
});

test("year, DWPD, load held and failure are filters that stand in the address", async ({ page, drivesPage }) => {
  await page.goto("/drives");
  await drivesPage.openFilters();
  await drivesPage.filters.getByRole("textbox", { name: "Least DWPD" }).fill("5");
  await expect(page).toHaveURL(/dwpd_min=5/);
  await drivesPage.filters.getByRole("textbox", { name: "Least load held" }).fill("100x");
  await expect(page).toHaveURL(/load_min=100x/);
  await drivesPage.filters.getByRole("button", { name: /^Show \d+ rows$/ }).click();
  const table = page.getByRole("table", { name: /^NVMe, over-provisioning not stated/ });
  await expect(table.getByRole("row", { name: /Intel Optane SSD DC P4800X 750/ })).toContainText(
    /145x.*untested.*30by 2019Aerospike24\sh/,
  );
  await expect(table.getByRole("row", { name: /Samsung PM983/ })).toHaveCount(0);
  await drivesPage.chips.getByRole("button", { name: "Clear all" }).click();
  await page.goto("/drives?failed=yes&year_min=2012");
  await expect(drivesPage.chips).toContainText("Tested to failure");
  await expect(drivesPage.chips).toContainText("Tested in 2012 or later");
  await page.goto("/drives?year_min=soon");
  await drivesPage.openFilters();
  await expect(drivesPage.filters).toContainText("“soon” is not");
});
