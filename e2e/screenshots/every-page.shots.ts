// A picture of every page, whole: light, dark, on a phone and as it prints. Too many to be part of the repository: they are
// written to docs/screenshots/pages, which git leaves out.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "../fixtures/own.ts";
import { places } from "../fixtures/places.ts";
import { checkout } from "../fixtures/product.ts";

const folder = join(checkout, "docs", "screenshots", "pages");

const LOOKS = [
  { look: "light", width: 1_280, height: 900, media: { colorScheme: "light", media: "screen" } },
  { look: "dark", width: 1_280, height: 900, media: { colorScheme: "dark", media: "screen" } },
  { look: "phone", width: 390, height: 844, media: { colorScheme: "light", media: "screen" } },
  { look: "print", width: 718, height: 1_047, media: { colorScheme: "light", media: "print" } },
] as const;

test.use({ expectedErrors: /status of 404/ });

for (const { name, path, ready } of places) {
  test(name, async ({ page, own }) => {
    mkdirSync(folder, { recursive: true });
    await page.goto(path(own));
    await ready(page);
    for (const { look, width, height, media } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ ...media, reducedMotion: "reduce" });
      if (look === "print") await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
      // Pictures draw themselves anew for another width.
      await page.waitForTimeout(500);
      await page.screenshot({
        path: join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${look}.jpg`),
        type: "jpeg",
        quality: 70,
        fullPage: true,
        animations: "disabled",
        caret: "hide",
      });
    }
  });
}
