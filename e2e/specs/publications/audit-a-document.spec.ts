// The claims of a published document, the findings of the checks, and the links between a finding and its rows.
import { readFile } from "node:fs/promises";
import { expect, test } from "../../fixtures/test.ts";

test("the list leads to a document, whose numbers are recomputed and whose findings say who found them", async ({
  page,
  api,
  shell,
  homePage,
  publicationPage,
}) => {
  const { publications } = await api.get<{ publications: { claim_count: number }[] }>("/publications");
  const measured = publications.filter(({ claim_count }) => claim_count > 0);
  await homePage.open();
  await shell.link("Publications").click();
  const list = page.getByRole("list", { name: "Publications" });
  await expect(list.getByRole("listitem")).toHaveCount(measured.length);
  await expect(page.getByRole("list", { name: "Facts and prices only" }).getByRole("listitem")).toHaveCount(
    publications.length - measured.length,
  );
  const kioxia = list.getByRole("listitem").filter({ hasText: "KIOXIA America" });
  await expect(kioxia).toContainText("© 2025");
  await expect(kioxia).toContainText(/Unequal load · mislabelled table.*15 findings/s);
  await expect(kioxia).toContainText(/\d+ high/);
  await kioxia.getByRole("link").click();
  await expect(page).toHaveURL(/\/publications\/kioxia-cd8p-ycsb-2025$/);
  await expect(publicationPage.verdict).toBeVisible();

  // Operations in flight and gains are recomputed beside what was printed.
  const little = publicationPage.finding("unequal load");
  await expect(little).toBeVisible();
  await expect(little.locator("tbody tr")).toHaveText(["A59.157.6", "B188240", "C186240", "D113241", "F124117"]);
  await expect(publicationPage.finding("37 gains recomputed")).toContainText("21 are truncated");

  const throughput = publicationPage.table("Test 2: Database Throughput");
  const readOnly = throughput.getByRole("row").filter({ hasText: "100% Read" });
  await expect(readOnly).toContainText("1,646,728 ops/s");
  await expect(readOnly).toContainText("186 in flight");
  await expect(readOnly).toContainText("recomputed 102.7 %, truncated");
  await expect(publicationPage.conditions).toContainText("Client threads");

  // Computed and reviewed findings cannot be taken for each other.
  const all = publicationPage.findings.locator("li[data-origin]");
  const computed = publicationPage.findings.locator("li[data-origin=computed]");
  const reviewed = publicationPage.findings.locator("li[data-origin=reviewed]");
  await expect(all.first()).toBeVisible();
  const [counted, noted] = [await computed.count(), await reviewed.count()];
  expect(counted).toBeGreaterThan(0);
  expect(noted).toBeGreaterThan(0);
  await expect(computed.first()).toContainText("computed");
  await expect(computed.first()).not.toContainText("reviewed");
  await expect(reviewed.first()).toContainText("reviewed");
  await publicationPage.findings.getByText(/^reviewed \(/).click();
  await expect(page).toHaveURL(/origin=reviewed/);
  await expect(all).toHaveCount(noted);
  await expect(computed).toHaveCount(0);
});

test("a finding marks its rows and leads back, numbers have what rounding leaves, and a row leads to its finding", async ({
  page,
  publicationPage,
}) => {
  await publicationPage.open("aerospike-act-blog-2012");
  const flips = publicationPage.finding("pass by the device alone and fail by the whole latency");
  await flips.getByRole("link", { name: "Mark the 5 rows it concerns" }).click();
  await expect(publicationPage.row("t2-r01")).toBeInViewport();
  for (const name of ["t2-r01", "t2-r08", "t2-r18", "t2-r23", "t2-r27"]) {
    await expect(publicationPage.row(name).locator("td[data-marked]").first()).toBeAttached();
  }
  const bar = page.getByRole("status").filter({ hasText: "its numbers are marked in 5 rows" });
  await expect(bar).toBeInViewport();
  await bar.getByRole("link", { name: "Back to the finding" }).click();
  await expect(flips).toBeInViewport();
  await expect(flips).toBeFocused();
  await page.getByRole("link", { name: "Unmark" }).click();
  await expect(page.locator("td[data-marked]")).toHaveCount(0);

  // Every number has what its rounding leaves, on the page and in the file.
  const first = publicationPage.table("First table");
  const rounded = publicationPage.row("t1-r01");
  await expect(rounded).toContainText("17.9 %");
  await expect(rounded).not.toContainText("17.85–17.95 %");
  await page.getByRole("switch", { name: "show what rounding leaves" }).check({ force: true });
  await expect(page).toHaveURL(/ends=shown/);
  await expect(rounded).toContainText("17.85–17.95 %");
  const download = page.waitForEvent("download");
  await first.getByRole("button", { name: "CSV" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text).toContain("t1-r01/exceedance/1ms/total");
  expect(text).toMatch(/17\.9,equal,0\.179,0\.1785,0\.1795,ratio/);

  // A row says what was found about it.
  await page.goto("about:blank");
  await publicationPage.open("aerospike-act-blog-2012", "#t2-r18");
  const row = publicationPage.row("t2-r18");
  await expect(row).toBeInViewport();
  await expect(row).toHaveAttribute("data-target", "true");
  await row.getByRole("link", { name: /^P16, medium/ }).click();
  await expect(page).toHaveURL(/#finding-/);
  await expect(publicationPage.finding("pass by the device alone and fail by the whole latency")).toBeInViewport();
});

test.describe("a document that there is not", () => {
  test.use({ expectedErrors: /404/ });

  test("says so, and where to go", async ({ page, publicationPage }) => {
    await publicationPage.open("no-such-paper");
    await expect(page.getByRole("heading", { level: 1, name: "There is no such publication" })).toBeVisible();
    await page.getByRole("main").getByRole("link", { name: "Show publications" }).click();
    await expect(page).toHaveURL(/\/publications$/);
  });
});

test("the palette finds drives by their other names, and documents", async ({ page, shell, homePage, drivePage }) => {
  await homePage.open();
  await shell.openPalette();
  await shell.paletteField.fill("kioxia");
  await expect(page.getByRole("option", { name: /NoSQL Database Workloads/ })).toBeVisible();
  await shell.paletteField.fill("s3700");
  await page.getByRole("option", { name: /Intel DC S3700/ }).click();
  await expect(drivePage.heading("Intel DC S3700")).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("rows are cards", async ({ publicationPage }) => {
    await publicationPage.open("kioxia-cd8p-ycsb-2025", "#test2-r3");
    const row = publicationPage.row("test2-r3");
    await expect(row).toBeInViewport();
    await expect(row).toContainText("1,646,728 ops/s");
    await expect(row).toHaveCSS("display", "grid");
  });
});
