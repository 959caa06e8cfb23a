// Pictures for the documentation: the leaderboard, a drive and a publication as the reference data has them, light, dark and narrow. Written to
// docs/screenshots.
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { checkout, Product } from "../fixtures/product.ts";

const folder = join(checkout, "docs", "screenshots");
const largest_bytes = 250_000;
const wide = { width: 1280, height: 1100 };
const narrow = { width: 390, height: 1400 };

let product: Product;

test.beforeAll(async () => {
  product = await Product.start();
});
test.afterAll(async () => {
  await product.stop();
});

test("the leaderboard", async ({ page }) => {
  await page.setViewportSize(wide);
  await shootDrives(page, "drives-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shootDrives(page, "drives-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(narrow);
  await shootDrives(page, "drives-narrow");
});

test("a drive", async ({ page }) => {
  await page.setViewportSize(wide);
  await shootDrive(page, "drive-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shootDrive(page, "drive-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(narrow);
  await shootDrive(page, "drive-narrow");
});

test("a publication", async ({ page }) => {
  // Dense with words: a shorter picture keeps below the size of the others.
  await page.setViewportSize({ ...wide, height: 900 });
  await shootPublication(page, "publication-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shootPublication(page, "publication-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(narrow);
  await shootPublication(page, "publication-narrow");
});

test("comparisons", async ({ page }) => {
  await page.setViewportSize(wide);
  await shootComparison(page, "compare-light");
  await shootGenerations(page, "compare-servers-light");
  await shootNetworks(page, "compare-networks-light");
  await shootTwoDrives(page, "compare-drives-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shootComparison(page, "compare-dark");
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(narrow);
  await shootComparison(page, "compare-narrow");
});

async function shootComparison(page: Page, name: string): Promise<void> {
  const subjects = ["CD6-R", "CD8P-R"].map((drive) => `publication:kioxia-cd8p-ycsb-2025#test1-r1/${drive}`);
  await page.goto(`${product.url}/compare?of=${encodeURIComponent(subjects.join(","))}`);
  await expect(page.getByRole("figure", { name: /percentile curves/ })).toBeVisible();
  await shoot(page, name);
}

async function shootGenerations(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/compare?template=server-generations`);
  await expect(page.getByRole("heading", { level: 1, name: /more operations/ })).toBeVisible();
  await shoot(page, name);
}

async function shootNetworks(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/compare?template=networks`);
  await expect(page.getByRole("heading", { level: 1, name: /40 GbE/ })).toBeVisible();
  await shoot(page, name);
}

async function shootTwoDrives(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/compare?template=drives&of=drive:samsung-830,drive:ocz-vertex-4`);
  await expect(page.getByRole("heading", { name: /holds 6x/ })).toBeVisible();
  await shoot(page, name);
}

async function shootDrives(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/drives`);
  await expect(page.getByRole("link", { name: "Intel DC S3700" })).toBeVisible();
  await shoot(page, name);
}

async function shootDrive(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/drives/intel-dc-s3700`);
  await expect(page.getByRole("figure", { name: /share over 1 ms by load/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Every tested load" })).toBeVisible();
  await shoot(page, name);
}

async function shootPublication(page: Page, name: string): Promise<void> {
  await page.goto(`${product.url}/publications/kioxia-cd8p-ycsb-2025`);
  await expect(page.getByRole("region", { name: "Audit findings" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Test 1: Runtime" })).toBeAttached();
  await shoot(page, name);
}

async function shoot(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  expect(statSync(path).size).toBeLessThan(largest_bytes);
}
