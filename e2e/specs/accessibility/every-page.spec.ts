// Every page, light and dark, and what opens over it: no finding of axe that is moderate or worse. No page is wider than a small phone.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { Api } from "../../fixtures/api.ts";
import type { Own } from "../../fixtures/places.ts";
import { overlays, places } from "../../fixtures/places.ts";
import { Desk } from "../../fixtures/samples.ts";
import { test as base, expect, expectAccessible } from "../../fixtures/test.ts";

const test = base.extend<object, { own: Own }>({
  own: [
    async ({ product, finishedRun }, use) => {
      const desk = new Desk();
      const form = new FormData();
      form.append("files", new Blob([readFileSync(desk.actLog("every-page.log"))]), "every-page.log");
      desk.remove();
      const answer = await fetch(`${product.url}/api/v1/uploads`, { method: "POST", body: form });
      const { upload_id, runs } = (await answer.json()) as { upload_id: string; runs: { run_id: string }[] };
      const run_id = runs[0]?.run_id ?? "";
      await new Api(product.url).judged(run_id);
      await use({ run: finishedRun, upload: { upload_id, run_id } });
    },
    { scope: "worker" },
  ],
});

// What the browser itself writes about a run that does not exist.
test.use({ expectedErrors: /status of 404/ });

for (const { name, path, ready } of [...places, ...overlays]) {
  test(`${name} is accessible in both themes, and no wider than a phone`, async ({ page, own }) => {
    test.slow(); // axe reads every element of a long page three times
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(path(own));
    await ready(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await expectAccessible(page);
    }
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(() => document.documentElement.clientWidth)).toBe(width);
      expect(await tooWide(page, width), `at ${width} px`).toEqual([]);
      expect(await cutOff(page), `at ${width} px`).toEqual([]);
    }
    await expectAccessible(page);
  });
}

/** What makes the page scroll sideways; empty where it does not. */
const tooWide = (page: Page, width: number): Promise<string[]> =>
  page.evaluate(async (most) => {
    // The pages measure themselves anew after the screen changed.
    for (let frame = 0; frame < 5; frame += 1) {
      await new Promise((next) => {
        requestAnimationFrame(next);
        setTimeout(next, 1_000);
      });
    }
    if (document.documentElement.scrollWidth <= most) return [];
    return [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > most + 1)
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`);
  }, width);

/** What of the main navigation is shown and has no room. */
const cutOff = (page: Page): Promise<string[]> =>
  page
    .getByRole("navigation", { name: "Main" })
    .evaluate((nav) =>
      [...nav.querySelectorAll("a, button")]
        .filter((entry) => entry.getBoundingClientRect().right > nav.getBoundingClientRect().right + 1)
        .map((entry) => entry.textContent ?? ""),
    );
