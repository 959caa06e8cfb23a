// Every page on paper of A4: nothing cut off, nothing folded, no row and no picture missing, no controls.
import type { Page } from "@playwright/test";
import { test } from "../../fixtures/own.ts";
import { places } from "../../fixtures/places.ts";
import { expect } from "../../fixtures/test.ts";

// What the browser itself writes about a run that does not exist.
test.use({ expectedErrors: /status of 404/ });

/** A4 without Chromium's margins, in CSS pixels. */
const paper = { width: 718, height: 1_047 };

for (const { name, path, ready } of places) {
  test(`${name} prints completely`, async ({ page, own }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path(own));
    await ready(page);
    await page.setViewportSize(paper);
    await page.emulateMedia({ media: "print", reducedMotion: "reduce" });
    // What was folded may fetch and draw its content now, and what comes after it is folded again.
    const printed = async (): Promise<string[]> => {
      await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
      await page.waitForLoadState("networkidle");
      return missing(page);
    };
    await expect.poll(printed, { timeout: 60_000 }).toEqual([]);
    const pdf = await page.pdf({ format: "A4" });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(0);
  });
}

/** What paper would not show, or should not. */
const missing = (page: Page): Promise<string[]> =>
  page.evaluate((width) => {
    const main = document.querySelector("main");
    if (main === null) return ["no page"];
    const found: string[] = [];
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()} ${(element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 50)}`;
    const isShown = (element: Element): boolean => {
      const box = element.getBoundingClientRect();
      return element.checkVisibility() && box.width > 1 && box.height > 1;
    };
    if (main.scrollWidth > width + 1) found.push(`${main.scrollWidth} px are wider than the paper`);
    for (const one of main.querySelectorAll("details:not([open])"))
      if (isShown(one)) found.push(`folded: ${nameOf(one)}`);
    for (const one of main.querySelectorAll("*")) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(one);
      if (!isShown(one) || textOverflow === "ellipsis" || one instanceof SVGElement) continue;
      if (one.closest("[aria-hidden=true]") !== null) continue;
      if (overflowY !== "visible" && one.scrollHeight > one.clientHeight + 2) found.push(`cut below: ${nameOf(one)}`);
      if (overflowX !== "visible" && one.scrollWidth > one.clientWidth + 2) found.push(`cut aside: ${nameOf(one)}`);
    }
    // A word on two lines. Names of files and machines may be cut anywhere.
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      const place = text.parentElement;
      if (place === null || place.closest("[aria-hidden=true], svg, code, pre, a[download]") !== null) continue;
      if (!isShown(place) || getComputedStyle(place).overflowWrap === "anywhere") continue;
      for (const { index, 0: word } of text.data.matchAll(/[A-Za-z]{3,}/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`broken: ${word} in ${nameOf(place)}`);
      }
    }
    for (const grid of main.querySelectorAll("[aria-rowcount]")) {
      const rows = grid.querySelectorAll("[aria-rowindex], [role=row]").length;
      if (Number(grid.getAttribute("aria-rowcount")) > rows) found.push(`${rows} rows only: ${nameOf(grid)}`);
    }
    for (const figure of main.querySelectorAll("figure")) {
      if (!isShown(figure)) continue;
      const pictures = [...figure.querySelectorAll("svg, canvas, img")].filter(
        (one) => isShown(one) && one.getBoundingClientRect().height > 40,
      );
      const isTable = figure.querySelector("table") !== null;
      if (pictures.length === 0 && !isTable) found.push(`no picture: ${nameOf(figure)}`);
      for (const one of pictures)
        if (one.getBoundingClientRect().right > width + 1) found.push(`picture beyond the paper: ${nameOf(figure)}`);
      for (const canvas of figure.querySelectorAll("canvas")) {
        if (!isShown(canvas)) continue;
        const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        const colours = new Set<string>();
        for (let at = 0; at < data.length; at += 4)
          colours.add(`${data[at]} ${data[at + 1]} ${data[at + 2]} ${data[at + 3]}`);
        if (colours.size < 2) found.push(`empty picture: ${nameOf(figure)}`);
      }
    }
    for (const control of document.querySelectorAll("header nav, main input[type=file]"))
      if (isShown(control)) found.push(`control: ${nameOf(control)}`);
    return [...new Set(found)];
  }, paper.width);
