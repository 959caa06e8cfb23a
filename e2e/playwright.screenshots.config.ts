// Screenshots of all pages for the documentation.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({ ...shared, testDir: "screenshots", testMatch: "*.shots.ts", timeout: 600_000 });
