// Sharing a run: as a report, by a link that expires, and as a picture on another page. Also on a phone.
import { readFileSync } from "node:fs";
import { Desk } from "../../fixtures/samples.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

// Console errors of the browser for an expired link.
test.use({ expectedErrors: /status of 410/ });

let desk: Desk;
test.beforeEach(() => {
  desk = new Desk();
});
test.afterEach(() => desk.remove());

test("a run is shared as a report and by links that end", async ({ page, finishedRun, runPage }) => {
  await runPage.open(finishedRun.run_id);
  await expect(runPage.cards.first()).toBeVisible();
  const dialog = page.getByRole("dialog", { name: "Share this run" });

  await test.step("nothing is wider than a phone, and nothing inside the dialog", async () => {
    await page.getByRole("button", { name: "Share" }).click();
    await expect(dialog.getByRole("list", { name: "Links to this run" })).toBeAttached();
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await expect.poll(() => dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    }
    await expectAccessible(page);
  });

  await test.step("the report opens as a page, and is saved as PDF and as a table", async () => {
    const popup = page.waitForEvent("popup");
    await dialog.getByRole("link", { name: "Open as a page" }).click();
    const report = await popup;
    await expect(report.getByRole("heading", { level: 1 })).toContainText(finishedRun.title);
    await report.close();
    for (const [role, name, beginning] of [
      ["button", "PDF", "%PDF-"],
      ["button", "Evidence pack", "PK"],
      ["link", "CSV", ""],
    ] as const) {
      const download = page.waitForEvent("download");
      await dialog.getByRole(role, { name }).click();
      const content = readFileSync(await (await download).path(), "latin1");
      expect(content.length).toBeGreaterThan(1_000);
      expect(content.slice(0, beginning.length)).toBe(beginning);
    }
  });

  await test.step("a link opens the report without credentials until it is revoked", async () => {
    const whom = "Reader";
    await dialog.getByLabel("For whom").fill(whom);
    await dialog.getByLabel("Works for").selectOption("7 days");
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const made = await dialog.getByRole("status").filter({ hasText: "Copy it now." }).locator("code").innerText();
    const reader = await page.context().newPage();
    await reader.goto(made);
    await expect(reader.getByRole("heading", { level: 1 })).toContainText(finishedRun.title);
    await dialog.getByRole("button", { name: `Revoke the link for ${whom}` }).click();
    await page.getByRole("button", { name: "Revoke it" }).click();
    await expect(dialog.getByRole("listitem").filter({ hasText: whom })).toContainText("revoked");
    expect((await reader.goto(made))?.status()).toBe(410);
    await reader.close();
  });

  await test.step("the dialog closes, and deleting still asks first", async () => {
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect(page.getByRole("dialog", { name: "Delete this run?" })).toBeVisible();
    await page.getByRole("button", { name: "Keep it" }).click();
  });
});

test("a published run gives other pages its badge and its chart", async ({ page, uploadPage }) => {
  const name = `badge-${crypto.randomUUID().slice(0, 8)}.log`;
  await uploadPage.open();
  await uploadPage.choose(desk.actLog(name));
  const run = uploadPage.run(`act 6.6: ${name}`);
  await run.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await expect(run).toContainText("Published since");
  await run.getByRole("link", { name: "Open the run page" }).click();
  await page.getByRole("button", { name: "Share" }).click();
  const part = page.getByRole("dialog", { name: "Share this run" }).getByRole("region", { name: "On other pages" });
  for (const [form, picture, text] of [
    ["Badge", "The badge", "/embed/badge.svg"],
    ["Chart", "The chart", "/embed/chart.svg"],
    ["Frame", "The chart", '<iframe src="'],
  ] as const) {
    await part.getByText(form, { exact: true }).click();
    const shown = part.getByRole("img", { name: picture });
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(part.locator("code")).toContainText(text);
  }
  // Other journeys count public runs, so this run is deleted.
  const runId = new URL(page.url()).pathname.split("/").at(-1);
  expect((await page.request.delete(`/api/v1/runs/${runId}`)).ok()).toBe(true);
});
