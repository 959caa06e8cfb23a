// The journeys and kill tests, all against one product that the set-up starts.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({
  ...shared,
  testDir: "specs",
  testIgnore: "deployed/**",
  globalSetup: "./fixtures/globalSetup.ts",
});
