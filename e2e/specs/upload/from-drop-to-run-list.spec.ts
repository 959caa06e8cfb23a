// The full journey: a log is dropped on the page, recognised, completed with a missing fact, published, and found.
import { Api } from "../../fixtures/api.ts";
import { Desk, sample } from "../../fixtures/samples.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

interface Shared {
  visibility: string;
  target_name: string | null;
  disclosure: { given_count: number; disclosed: { field: string; value: unknown }[] };
}

test("an ACT log: dragged in, a fact filled in, published, found in the run list", async ({
  page,
  api,
  homePage,
  uploadPage,
  runListPage,
}) => {
  test.slow();
  const name = `drag-${crypto.randomUUID().slice(0, 8)}.log`;
  await homePage.open();
  await page.getByRole("link", { name: "Upload a run" }).click();
  await expect(uploadPage.heading).toBeVisible();
  await uploadPage.drop(desk.actLog(name), sample("act/act66_storage_6x_2dev_ms_60s.conf"));

  await expect(uploadPage.file(name)).toContainText("ACT 6.6 (act-storage), because the banner says");
  await expect(uploadPage.file("act66_storage_6x_2dev_ms_60s.conf")).toContainText(`Read with ${name}`);
  const run = uploadPage.run(`act 6.6: ${name}`);
  await expect(run).toContainText("Finished.");
  await expect(run.getByRole("region", { name: "Answer", exact: true })).toContainText("take 1 ms or longer", {
    timeout: 60_000,
  });
  await expect(run.getByRole("figure", { name: /percentile curve/ })).toBeVisible();
  await expect(run.getByRole("figure", { name: /share over each limit/ })).toBeVisible();
  await expect(run.getByRole("row", { name: /^Read in the file: reads/ })).toContainText("1,440,001");

  await expect(run).toContainText("7 of 26 given");
  await run.getByRole("combobox", { name: "Drive model" }).fill("sm171");
  await page
    .getByRole("listbox")
    .getByRole("option", { name: /SM1715/ })
    .click();
  await run.getByLabel("Over-provisioned share").fill("much");
  await run.getByLabel("When the run began", { exact: true }).fill("2026-11-20T12:30:00");
  await run.getByRole("combobox", { name: "When the run began: offset from UTC" }).selectOption("UTC+02:00");
  await run.getByRole("button", { name: "Save 2 answers" }).click();
  await expect(run).toContainText("9 of 26 given");
  await expect(run.getByLabel("Over-provisioned share")).toHaveAttribute("aria-invalid", "true");
  await expect(run).toContainText("“much” is not a share.");
  await run.getByLabel("Over-provisioned share").fill("21");
  await run.getByRole("button", { name: "Save 1 answer" }).click();
  await expect(run).toContainText("10 of 26 given");

  const runId = ((await run.getByRole("link", { name: "Open the run page" }).getAttribute("href")) ?? "").slice(-36);
  const stored = await api.get<Shared & { started_at: string }>(`/runs/${runId}`);
  expect(stored.started_at).toMatch(/^2026-11-20T10:30:00/);
  expect(Object.fromEntries(stored.disclosure.disclosed.map(({ field, value }) => [field, value]))).toMatchObject({
    "host.block_devices.*.model": "Samsung SM1715",
    "plan.act_storage.over_provisioning": 0.21,
  });
  expect(stored.visibility).toBe("private");

  await run.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish this run" });
  await expect(dialog).toContainText("The file itself stays private.");
  await expect(dialog).toContainText("Unranked until 16 more facts are given");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Publish now" }).click();
  await expect(run).toContainText("Published since");
  expect((await api.get<Shared>(`/runs/${runId}`)).visibility).toBe("public");

  await expect(run.getByRole("status").filter({ hasText: "Now among the drives, without a rank." })).toBeVisible({
    timeout: 60_000,
  });
  await expect(run.getByRole("link", { name: /SM1715.* →/ })).toHaveAttribute("href", /\/drives\/.*sm1715/);
  await run.getByRole("link", { name: "Its row on the leaderboard →" }).click();
  const row = page.locator("tr[aria-current=true]");
  await expect(row).toBeInViewport();
  await expect(row).toContainText("SM1715");

  await runListPage.open(`?q=${name}`);
  await expect(runListPage.row(`act 6.6: ${name}`)).toBeVisible();
  await runListPage.run(`act 6.6: ${name}`).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  await page.getByRole("link", { name: "published", exact: true }).click();
  await expect(page.getByRole("region", { name: /^Who may see/ })).toContainText("Published since");
  await expect(page.getByRole("region", { name: "Run facts" }).getByRole("link", { name })).toHaveAttribute(
    "href",
    /raw-files/,
  );
  // Journeys of other organisations require that no run is public.
  expect((await page.request.delete(`/api/v1/runs/${runId}`)).ok()).toBe(true);
});

test("what is published can be withdrawn, and the reason stays", async ({ page, uploadPage, api }) => {
  const name = `withdrawn-${crypto.randomUUID().slice(0, 8)}.log`;
  await uploadPage.open();
  await uploadPage.choose(desk.actLog(name));
  const run = uploadPage.run(`act 6.6: ${name}`);
  await run.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await run.getByRole("button", { name: "Withdraw" }).click();
  const dialog = page.getByRole("dialog", { name: "Withdraw this run" });
  await dialog.getByLabel("Reason").fill("the other drive was measured");
  await dialog.getByRole("button", { name: "Withdraw it" }).click();
  await expect(run).toContainText("with the reason: the other drive was measured");
  await expect(run.getByRole("button", { name: "Publish again" })).toBeVisible();
  const runId = ((await run.getByRole("link", { name: "Open the run page" }).getAttribute("href")) ?? "").slice(-36);
  expect((await api.get<Shared>(`/runs/${runId}`)).visibility).toBe("retracted");
});

test("several files at once become several runs, and answers of one serve the others", async ({
  uploadPage,
  page,
  product,
}) => {
  test.slow(); // imports and judges three files
  const key = crypto.randomUUID().slice(0, 8);
  await uploadPage.open();
  await uploadPage.choose([
    desk.actLog(`first-${key}.log`),
    desk.actLog(`second-${key}.log`),
    sample("memtier/given1.json"),
  ]);
  const first = uploadPage.run(`act 6.6: first-${key}.log`);
  const second = uploadPage.run(`act 6.6: second-${key}.log`);
  await expect(first).toBeVisible();
  await expect(second).toBeVisible();
  await expect(page.getByText("Response time unknown (closed loop).")).toBeVisible();

  await first.getByLabel("Firmware").fill("KMK1HB3Q");
  await first.getByLabel("Serial number").fill("S3U1NX0J");
  await first.getByLabel("Processor", { exact: true }).fill("Xeon E5-2690 v3");
  await expect(first.getByLabel("Serial number")).toHaveValue(/^[0-9a-f]{64}$/);
  await first.getByRole("button", { name: "Save 3 answers" }).click();
  await first.getByRole("button", { name: "Use the saved answers for 2 other runs of this upload" }).click();
  await expect(first).toContainText("Given to 2 other runs too.");
  await expect(second).toContainText("10 of 26 given");

  // The upload's URL shows it again, and so does the list of sent files.
  const upload = await uploadPage.shownUpload();
  const { files } = await new Api(product.url).get<{ files: { name: string; sha256: string }[] }>(`/uploads/${upload}`);
  await page.reload();
  await expect(second).toContainText("10 of 26 given");
  await uploadPage.open();
  await uploadPage.recent.getByRole("link", { name: `first-${key}.log and 2 more` }).click();
  await expect(page).toHaveURL(new RegExp(`upload=${upload}`));

  // The downloaded bytes equal the uploaded bytes.
  const file = uploadPage.file(`second-${key}.log`);
  const download = page.waitForEvent("download");
  await file.getByRole("link", { name: "Download as sent" }).click();
  expect((await download).suggestedFilename()).toBe(`second-${key}.log`);
  await expect(file).toContainText(files.find((one) => one.name === `second-${key}.log`)?.sha256 ?? "no such file");
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
