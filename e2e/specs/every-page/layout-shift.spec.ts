// No page shifts while it loads on a phone or answers a question. Wide screens are checked in
// `read-and-printed.spec.ts`.
import { expectStill } from "../../fixtures/layoutShift.ts";
import { test } from "../../fixtures/own.ts";
import { places } from "../../fixtures/places.ts";

const QUESTION = "reads=20&window=100ms&objective=99";
const ASKED = ["/", "/runs", "/drives", "/drives/intel-dc-s3700", "/sla"].map((path) => `${path}?${QUESTION}`);

test.use({ expectedErrors: /status of 40[14]/ });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const { name, path } of places)
    test(`${name} does not move while it loads`, async ({ page, own }) => expectStill(page, [path(own)]));

  test("no page moves that answers a question", async ({ page }) => expectStill(page, ASKED));
});

test("no page moves that answers a question, 1440 px wide", async ({ page }) => expectStill(page, ASKED));
