// The journeys and kill tests. Files run side by side, and each worker has a product of its own that the set-up starts: what one file
// kills or publishes no other sees.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({
  ...shared,
  workers: Number(process.env["TAILROOM_JOURNEY_WORKERS"] ?? 3),
  testDir: "specs",
  testIgnore: "deployed/**",
  globalSetup: "./fixtures/globalSetup.ts",
});
