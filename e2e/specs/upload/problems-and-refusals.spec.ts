// Unreadable files are rejected with a reason, damage is reported by line and text, and dropped files survive a lost
// connection.
import { readFileSync, writeFileSync } from "node:fs";
import { broken, Desk, until } from "../../fixtures/samples.ts";
import { expect, test } from "../../fixtures/test.ts";

// Console errors of the browser for rejected and broken requests that these journeys expect.
test.use({ expectedErrors: /status of (413|422|503)|ERR_(INTERNET_DISCONNECTED|CONNECTION_)/ });

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("a file that is no result file is refused with its reason, and kept", async ({ page, uploadPage }) => {
  const name = `junk-${crypto.randomUUID().slice(0, 8)}.bin`;
  await uploadPage.open();
  await uploadPage.drop(desk.write(name, crypto.getRandomValues(new Uint8Array(3_000))));
  const file = uploadPage.file(name);
  await expect(file.getByText("Refused", { exact: true })).toBeVisible();
  await expect(file).toContainText("Format not recognised: it is no text");
  await expect(uploadPage.transfer(name)).toContainText("stored, but nothing could be read");
  await expect(page.getByRole("heading", { name: /read$/ })).toHaveCount(0);
  await expect(uploadPage.recent).toContainText("1 file, no run read, 1 refused");
});

test("a folder is taken with everything in it", async ({ uploadPage }) => {
  test.slow();
  const key = crypto.randomUUID().slice(0, 8);
  desk.actLog(`inside-${key}.log`);
  desk.actLog(`deep/deeper-${key}.log`);
  desk.write(".DS_Store", "of the system");
  await uploadPage.open();
  await uploadPage.drop(desk.path);
  await expect(uploadPage.file(`inside-${key}.log`)).toContainText("ACT 6.6");
  await expect(uploadPage.file(`deeper-${key}.log`)).toContainText("ACT 6.6");
  await expect(uploadPage.outcome).toContainText("2 files, 2 runs read");
});

test("problems stand by line, with the text around them", async ({ uploadPage }) => {
  const name = `damaged-${crypto.randomUUID().slice(0, 8)}.log`;
  await uploadPage.open();
  await uploadPage.choose(desk.actLog(name, broken));
  const file = uploadPage.file(name);
  await expect(file).toContainText(/Warning, line \d+/);
  const around = file.getByRole("group", { name: /lines around/ }).first();
  await expect(around).toContainText("after 30 sec:");
  await expect(around.getByRole("row").filter({ hasText: "the line meant" })).toHaveCount(1);
  await expect(file).toContainText("~broken~");
});

test("a log that grows is sent again, continues its run, and says by how much", async ({ page, uploadPage }) => {
  const name = `growing-${crypto.randomUUID().slice(0, 8)}.log`;
  const whole = desk.actLog(name);
  const text = readFileSync(whole, "utf8");
  const cut = (second: number): void => writeFileSync(whole, until(second)(text.split("\n")).join("\n"));
  await uploadPage.open();
  cut(25);
  await uploadPage.choose(whole);
  const run = uploadPage.run(`act 6.6: ${name}`);
  await expect(run).toContainText("Still growing.");
  const link = await run.getByRole("link", { name: "Open the run page" }).getAttribute("href");
  const first = await uploadPage.shownUpload();

  cut(45);
  await run.getByLabel(/^A longer copy of/).setInputFiles(whole);
  await expect(page).not.toHaveURL(new RegExp(first));
  await expect(run).toContainText("Continued. The same run, under the same link");
  await expect(run).toContainText(/20\ss more: 24\ss before, 44\ss now/);
  await expect(run.getByRole("link", { name: "Open the run page" })).toHaveAttribute("href", link ?? "");

  // A different log is not accepted as a longer copy.
  await run.getByLabel(/^A longer copy of/).setInputFiles(desk.actLog(`other-${name}`));
  await expect(page.getByText("This is another run.")).toBeVisible();
});

test("offline the files stay, and are sent once the network is back", async ({ page, context, uploadPage }) => {
  const name = `offline-${crypto.randomUUID().slice(0, 8)}.log`;
  await uploadPage.open();
  await expect(uploadPage.heading).toBeVisible();
  await context.setOffline(true);
  await uploadPage.choose(desk.actLog(name));
  const line = uploadPage.transfer(name);
  await expect(line.getByRole("alert")).toContainText("Tailroom does not answer");
  await expect(line).toContainText("The files are still listed here and can be sent again.");

  // Visiting another page loses no files.
  await context.setOffline(false);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Runs" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Upload" }).click();
  await line.getByRole("button", { name: `Send ${name} again` }).click();
  await expect(line).toContainText("stored and read");
  await expect(uploadPage.file(name)).toContainText("ACT 6.6");
});

test("a slow upload shows its progress, the next one waits, and either can be cancelled", async ({
  page,
  context,
  uploadPage,
}) => {
  await uploadPage.open();
  const session = await context.newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 100_000,
  });
  const large = new Uint8Array(2_000_000).fill(32);
  const key = crypto.randomUUID().slice(0, 8);
  await uploadPage.choose(desk.write(`large-${key}.log`, large));
  await uploadPage.choose(desk.actLog(`next-${key}.log`));
  const first = uploadPage.transfer(`large-${key}.log`);
  await expect(first.getByRole("progressbar", { name: "Sent" })).toHaveAttribute("aria-valuenow", /^([5-9]|\d\d)$/);
  await expect(first).toContainText(/of 1\.91\sMiB sent/);
  await expect(uploadPage.transfer(`next-${key}.log`)).toContainText("waits for the upload before");
  await first.getByRole("button", { name: `Cancel large-${key}.log` }).click();
  await expect(first).toContainText("cancelled; the files are still listed here");
  await expect(uploadPage.transfer(`next-${key}.log`)).toContainText("stored and read", { timeout: 60_000 });
  await first.getByRole("button", { name: `Remove large-${key}.log from this list` }).click();
  await expect(first).toHaveCount(0);
});
