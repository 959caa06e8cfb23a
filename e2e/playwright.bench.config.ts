// Benchmarks that need the whole product; figures are printed, nothing fails for being slow.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({
  ...shared,
  testDir: "bench",
  testMatch: "*.bench.ts",
  globalSetup: "./fixtures/globalSetup.ts",
  timeout: 900_000,
});
