// No page shifts that answers a question. Pages without one are checked in `read-and-printed.spec.ts`.
import { openStill, watchLayout } from "../../fixtures/layoutShift.ts";
import { test } from "../../fixtures/own.ts";
import { PHONE, WIDE } from "../../fixtures/places.ts";

const QUESTION = "reads=20&window=100ms&objective=99";

test("no page moves that answers a question, on a phone and 1440 px wide", async ({ page, own: _ }) => {
  await watchLayout(page);
  for (const viewport of [PHONE, WIDE]) {
    await page.setViewportSize(viewport);
    for (const path of ["/", "/runs", "/drives", "/drives/intel-dc-s3700", "/sla"])
      await openStill(page, `${path}?${QUESTION}`);
  }
});
