// Journeys and kill tests. Files run in parallel. Each worker has its own product, so that kills and publications in
// one file do not affect others.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({
  ...shared,
  workers: Number(process.env["TAILROOM_JOURNEY_WORKERS"] ?? 2),
  testDir: "specs",
  testIgnore: "deployed/**",
  globalSetup: "./fixtures/globalSetup.ts",
});
