// Nothing on a page moves while it loads: Chromium's own sum of layout shifts, on a desktop and on a phone.
import type { Page } from "@playwright/test";
import { test } from "../../fixtures/own.ts";
import { places } from "../../fixtures/places.ts";
import { expect } from "../../fixtures/test.ts";

const MOST_SHIFT = 0.05;
/** Answers of the API come late by these times, one after the other, so that each page is seen in parts. */
const DELAYS_MS = [600, 50, 300, 150, 450];
/** A page has all its answers when it asks for nothing during this time. */
const QUIET_MS = 500;
const MOST_ROUNDS = 8;

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

/** Delay the answers of the API; what is returned waits until the page asks for nothing more. */
const delayAnswers = async (page: Page): Promise<() => Promise<void>> => {
  let requests = 0;
  let waiting = 0;
  await page.route("**/api/**", async (route) => {
    waiting += 1;
    await new Promise((resolve) => setTimeout(resolve, DELAYS_MS[requests++ % DELAYS_MS.length]));
    waiting -= 1;
    // A page that has been left no longer wants its answer.
    await route.continue().catch(() => {});
  });
  return async () => {
    for (let round = 0, before = -1; round < MOST_ROUNDS && (waiting > 0 || before !== requests); round++) {
      before = requests;
      await page.waitForTimeout(QUIET_MS);
    }
  };
};

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
        const settled = await delayAnswers(page);
        for (const address of [path, ...(ASKED.has(path) ? [`${path}?${QUESTION}`] : [])]) {
          await page.goto(address);
          await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
          await settled();
          const shifts = await page.evaluate(() => (window as unknown as Shifts).shifts);
          const sum = shifts.reduce((total, { value }) => total + value, 0);
          expect(sum, `${address}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MOST_SHIFT);
        }
      });
    }
  });
}
