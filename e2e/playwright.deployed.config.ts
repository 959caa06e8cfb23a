// One journey on a running deployment. Its address and a token come from the environment.
import { defineConfig } from "@playwright/test";
import { shared } from "./playwright.shared.ts";

export default defineConfig({ ...shared, testDir: "specs/deployed" });
