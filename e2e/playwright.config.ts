// The journeys: one product for all of them, one browser at a time, because two cores also carry the product.
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./fixtures/browserOptions.ts";

export default defineConfig({
  testDir: "specs",
  testIgnore: "deployed/**",
  outputDir: "test-results",
  globalSetup: "./fixtures/globalSetup.ts",
  fullyParallel: false,
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: launchOptions(),
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
