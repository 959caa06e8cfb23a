// All pages and overlays in light and dark: no layout shift during loading, on a phone and wide, and no axe finding of
// moderate severity or worse. The answer of a page is read within five seconds. No page is wider than a small phone or
// shows a number with two roundings, and each prints completely on A4.
import type { Page } from "@playwright/test";
import { expectAnswer } from "../../fixtures/answers.ts";
import { openStill, watchLayout } from "../../fixtures/layoutShift.ts";
import { test } from "../../fixtures/own.ts";
import { expectPrintsCompletely } from "../../fixtures/paper.ts";
import { overlays, PHONE, type Place, places, WIDE } from "../../fixtures/places.ts";
import { differentRoundings } from "../../fixtures/roundings.ts";
import { expect, expectAccessible, expectAccessibleInBothThemes } from "../../fixtures/test.ts";

// Console errors of the browser for a run that does not exist, and for the mail page, which only the machine's owner
// can read.
test.use({ expectedErrors: /status of 40[14]/ });

// Pages are independent, so workers can share them.
test.describe.configure({ mode: "parallel" });

/** A browser that has the product's code loads a page in half of the CPU time, so several pages share one. */
const GROUPS = 6;

for (let group = 0; group < GROUPS; group += 1) {
  const members = places.filter((_, at) => at % GROUPS === group);
  const names = members.map(({ name }) => name).join(", ");
  test(`${names}: still, accessible in both themes, no wider than a phone, printed completely`, async ({
    page,
    own,
  }) => {
    test.slow(); // axe checks every element of a long page more than once
    await watchLayout(page);
    for (const place of members)
      await test.step(place.name, async () => {
        await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
        for (const viewport of [PHONE, WIDE]) {
          await page.setViewportSize(viewport);
          await openStill(page, place.path(own));
        }
        await expectReadable(page, place);
        await expectPrintsCompletely(page);
      });
    // Chromium draws the last one as it prints it.
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(0);
  });
}

test("overlays are accessible in both themes, and no wider than a phone", async ({ page, own }) => {
  test.slow();
  for (const overlay of overlays)
    await test.step(overlay.name, async () => {
      await page.setViewportSize(WIDE);
      await page.goto(overlay.path(own));
      await expectReadable(page, overlay);
    });
});

/** Asserts what holds on screen for the open page. */
async function expectReadable(page: Page, { answer, ready }: Place): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  if (answer !== undefined) await expectAnswer(page, answer);
  await ready(page);
  expect(await differentRoundings(page), "one number in two roundings").toEqual([]);
  await expectAccessibleInBothThemes(page);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.clientWidth)).toBe(width);
    expect(await tooWide(page, width), `at ${width} px`).toEqual([]);
    expect(await cutOff(page), `at ${width} px`).toEqual([]);
  }
  // The colours are unchanged.
  await expectAccessible(page, "layout");
  expect(await partedUnits(page)).toEqual([]);
}

/** Returns numbers joined to their unit by a plain space, at which a line can break, except in file contents. */
const partedUnits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const quoted = [...document.querySelectorAll<HTMLElement>("pre, code, samp")];
    const shown = quoted.map(({ style }) => style.display);
    for (const { style } of quoted) style.display = "none";
    const unit = String.raw`(?:%|×|[nµm]?s|min|h|(?:ops|reads)/s|IOPS|[MG]bit/s|W)(?![\w%/])`;
    const found = [...document.body.innerText.matchAll(new RegExp(String.raw`.{0,30}\d[kMG]? ${unit}`, "g"))].map(
      String,
    );
    for (const [at, { style }] of quoted.entries()) style.display = shown[at] ?? "";
    return found;
  });

/** Returns descriptions of the elements that make the page scroll sideways; empty if it does not. */
const tooWide = (page: Page, width: number): Promise<string[]> =>
  page.evaluate(async (most) => {
    // The page measures itself again after the viewport changed.
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

/** Returns the visible parts of the main navigation that are cut off. */
const cutOff = (page: Page): Promise<string[]> =>
  page
    .getByRole("navigation", { name: "Main" })
    .evaluate((nav) =>
      [...nav.querySelectorAll("a, button")]
        .filter((entry) => entry.getBoundingClientRect().right > nav.getBoundingClientRect().right + 1)
        .map((entry) => entry.textContent ?? ""),
    );
