// Settings shared by all Playwright configurations: browser, one worker by default, English, UTC.
import type { PlaywrightTestConfig } from "@playwright/test";
import { launchOptions } from "./fixtures/browserOptions.ts";

export const shared = {
  outputDir: "test-results",
  fullyParallel: false,
  workers: 1,
  forbidOnly: true,
  timeout: 120_000,
  // Longest wait for a page while another journey and its product use both cores.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: launchOptions(),
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "UTC",
    // Recording the document at each step costs up to a fifth of a journey's CPU time: `--retries 1` records a second try.
    trace: { mode: "on-first-retry", screenshots: false },
    screenshot: "only-on-failure",
  },
} satisfies PlaywrightTestConfig;
