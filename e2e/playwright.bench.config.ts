// Benchmarks of the whole product. They print figures, and do not fail if slow.
import { resolve } from "node:path";
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

// What is measured is what is used: the release build.
process.env["TAILROOM_AGENT"] ??= resolve(import.meta.dirname, "..", "target", "release", "tailroom-agent");

export default defineConfig({
  ...shared,
  testDir: "bench",
  testMatch: "*.bench.ts",
  globalSetup: "./fixtures/globalSetup.ts",
  timeout: 900_000,
});
