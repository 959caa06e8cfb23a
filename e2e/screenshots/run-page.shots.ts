// Pictures for the documentation: a first measurement of this machine, live and finished, light, dark and narrow, and what
// it says about an SLA; an uploaded log with a damaged line. Written to docs/screenshots.
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { Api } from "../fixtures/api.ts";
import { poll } from "../fixtures/poll.ts";
import { checkout, Product } from "../fixtures/product.ts";
import { sample } from "../fixtures/samples.ts";

const folder = join(checkout, "docs", "screenshots");
const largest_bytes = 250_000;
const wide = { width: 1280, height: 1100 };
const narrow = { width: 390, height: 1400 };

const measured = "/var/tmp/tailroom"; // on a disk, and no matter whose machine it is

let product: Product;

test.beforeAll(async () => {
  product = await Product.start({ measure_s: 30, environment: { TAILROOM_MEASURE_DIR: measured } });
});
test.afterAll(async () => {
  await product.stop();
  rmSync(measured, { recursive: true, force: true });
});

test("a run, live and finished, and what it says about an SLA", async ({ page }) => {
  const api = new Api(product.url);
  const device = await announced(0);
  await page.setViewportSize(wide);
  await page.goto(device);
  await expect(page.getByRole("main").locator("header")).toContainText("00:00:15", { timeout: 60_000 });
  await shoot(page, "run-live");

  const fraud = await announced(1);
  for (const address of [device, fraud]) await api.judged(address.slice(-36), 120_000);
  await shootFinished(page, device, "run-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shootFinished(page, device, "run-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await shootFinished(page, fraud, "run-fraud-light");
  await shootQuestion(page, fraud.slice(-36), "sla-light");
  await page.setViewportSize(narrow);
  await shootFinished(page, device, "run-narrow");
});

test("the first page, and a simulated day", async ({ page }) => {
  const day = await poll(async () => / as an example: (\S+)/.exec(product.log())?.[1] ?? null, {
    within_ms: 240_000,
    what: "tailroom up prints the address of the simulated day",
  });
  await new Api(product.url).judged(day.slice(-36), 120_000);
  const looks = [
    { name: "light", size: wide, colorScheme: "light" },
    { name: "dark", size: wide, colorScheme: "dark" },
    { name: "narrow", size: narrow, colorScheme: "light" },
  ] as const;
  for (const { name, size, colorScheme } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await page.goto(product.url);
    await expect(page.getByRole("region", { name: "Latest verdicts" })).toBeVisible();
    await shoot(page, `home-${name}`);
    await shootFinished(page, day, `run-day-${name}`);
  }
});

test("an uploaded log, with what is wrong in it and what is missing", async ({ page }) => {
  const lines = readFileSync(sample("act/act66_storage_6x_2dev_ms_60s.log"), "utf8").split("\n");
  const at = lines.indexOf("after 30 sec:") + 2;
  const log = lines.with(at, (lines[at] ?? "").replace("(00:", "(0x:")).join("\n");
  const conf = readFileSync(sample("act/act66_storage_6x_2dev_ms_60s.conf"));
  await page.goto(`${product.url}/upload`);
  await page.setViewportSize(wide);
  await page.getByLabel("Files to send").setInputFiles([
    { name: "act_storage_6x.log", mimeType: "text/plain", buffer: Buffer.from(log) },
    { name: "act_storage_6x.conf", mimeType: "text/plain", buffer: conf },
  ]);
  await shootUpload(page, "upload-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shootUpload(page, "upload-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(narrow);
  await shootUpload(page, "upload-narrow");
});

async function shootUpload(page: Page, name: string): Promise<void> {
  await expect(page.getByRole("list", { name: "Verdicts" })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("figure", { name: /percentile curve/ })).toBeVisible();
  await expect(page.getByRole("group", { name: /lines around/ }).first()).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, 0));
  await shoot(page, name);
}

async function shootFinished(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("main").locator("header")).toContainText("completed");
  await expect(page.getByRole("figure", { name: /percentile curve/ })).toBeVisible();
  await shoot(page, name);
}

async function shootQuestion(page: Page, run: string, name: string): Promise<void> {
  await page.goto(`${product.url}/sla?reads=250&window=1s&reserve=400ms&objective=99.9&run=${run}`);
  await expect(page.getByRole("figure", { name: /Time of a transaction/ })).toBeVisible();
  await expect(page.getByRole("link", { name: /device/ })).toBeVisible();
  await shoot(page, name);
}

async function shoot(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  expect(statSync(path).size).toBeLessThan(largest_bytes);
}

function announced(position: number): Promise<string> {
  return poll(async () => product.announced()[position] ?? null, {
    within_ms: 120_000,
    what: `tailroom up prints the address of run ${position + 1}`,
  });
}
