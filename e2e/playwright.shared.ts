// What every run of Playwright here has in common: the browser, one worker unless it says otherwise, English in UTC.
import type { PlaywrightTestConfig } from "@playwright/test";
import { launchOptions } from "./fixtures/browserOptions.ts";

export const shared = {
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  // As long as a page may take while another journey and its product keep both cores busy.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: launchOptions(),
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    // Recording the document at each step would cost up to a fifth of a journey's processor time: add `--trace on` for one journey.
    trace: "off",
    screenshot: "only-on-failure",
  },
} satisfies PlaywrightTestConfig;
