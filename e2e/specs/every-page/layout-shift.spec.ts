// Nothing on a page moves while it loads: Chromium's own sum of layout shifts, on a desktop and on a phone.
import type { Page } from "@playwright/test";
import { test } from "../../fixtures/own.ts";
import { places } from "../../fixtures/places.ts";
import { expect } from "../../fixtures/test.ts";

const MOST_SHIFT = 0.05;
/** Late answers arrive within this time after the page is there. */
const LATE_MS = 1_000;

type Shifts = { shifts: { value: number; moved: string[] }[] };

/** Note each layout shift with the elements that moved, from the first frame on. */
const observe = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const noted: Shifts = { shifts: [] };
    Object.assign(window, noted);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[])
        if (!entry.hadRecentInput)
          noted.shifts.push({
            value: entry.value,
            moved: entry.sources.map(({ node, previousRect, currentRect }) => {
              const name = node instanceof Element ? `${node.tagName}.${node.className}` : (node?.textContent ?? "");
              return `${name.slice(0, 60)} from ${previousRect.y} to ${currentRect.y}`;
            }),
          });
    }).observe({ type: "layout-shift", buffered: true });
  });

const QUESTION = "reads=20&window=100ms&objective=99";
const ASKED = new Set(["/", "/runs", "/drives", "/drives/intel-dc-s3700", "/sla"]);

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} px wide`, () => {
    test.use({ viewport, expectedErrors: /status of 40[14]/ });

    for (const place of places) {
      test(`${place.name} does not move while it loads`, async ({ page, own }) => {
        const path = place.path(own);
        await observe(page);
        for (const address of [path, ...(ASKED.has(path) ? [`${path}?${QUESTION}`] : [])]) {
          await page.goto(address);
          await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
          await page.waitForTimeout(LATE_MS);
          const shifts = await page.evaluate(() => (window as unknown as Shifts).shifts);
          const sum = shifts.reduce((total, { value }) => total + value, 0);
          expect(sum, `${address}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MOST_SHIFT);
        }
      });
    }
  });
}
