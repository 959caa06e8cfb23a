// Every page, light and dark, and what opens over it: no finding of axe that is moderate or worse.
import type { Page } from "@playwright/test";
import type { RunState } from "../../fixtures/api.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

interface Place {
  name: string;
  path: (run: RunState) => string;
  ready: (page: Page) => Promise<void>;
}

const places: Place[] = [
  {
    name: "first page",
    path: () => "/",
    ready: (page) => expect(page.getByRole("region", { name: "Latest verdicts" })).toBeVisible(),
  },
  { name: "run list", path: () => "/runs", ready: (page) => expect(page.getByRole("table")).toBeVisible() },
  {
    name: "run",
    path: (run) => `/runs/${run.run_id}`,
    ready: async (page) => {
      await expect(page.getByRole("article").first()).toBeVisible();
      await expect(page.getByRole("figure", { name: /percentile curve/ })).toBeVisible();
      await page.getByRole("region", { name: "Run facts" }).locator("summary", { hasText: "Plan" }).click();
    },
  },
  {
    name: "prices",
    path: () => "/prices",
    ready: (page) => expect(page.getByRole("form", { name: "Add or change a price" })).toBeVisible(),
  },
  {
    name: "glossary",
    path: () => "/glossary",
    ready: (page) => expect(page.getByRole("heading", { level: 1, name: "What the words mean" })).toBeVisible(),
  },
  {
    name: "sign-in",
    path: () => "/sign-in",
    ready: (page) => expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible(),
  },
  {
    name: "palette",
    path: () => "/runs",
    ready: async (page) => {
      await expect(page.getByRole("table")).toBeVisible();
      await page.keyboard.press("Control+k");
      await expect(page.getByRole("option").first()).toBeVisible();
    },
  },
  {
    name: "keyboard help",
    path: () => "/",
    ready: async (page) => {
      await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    },
  },
];

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme, reducedMotion: "reduce" });

    for (const { name, path, ready } of places) {
      test(`${name} has no accessibility finding`, async ({ page, finishedRun }) => {
        await page.goto(path(finishedRun));
        await ready(page);
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
        await expectAccessible(page);
      });
    }
  });
}
