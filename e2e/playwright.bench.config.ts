// Benchmarks of the whole product. They print figures, and do not fail if slow.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({
  ...shared,
  testDir: "bench",
  testMatch: "*.bench.ts",
  globalSetup: "./fixtures/globalSetup.ts",
  timeout: 900_000,
});
