// Measures the time from the last interval of a ten-minute run until its final verdicts are visible in the browser. The
// data is sent as fast as the API accepts it; only the last ten seconds and the finish are timed.
import { expect, type Page, test } from "@playwright/test";
import { Api } from "../fixtures/api.ts";
import { sharedProduct } from "../fixtures/shared.ts";
import { Feeder } from "./feeder.ts";
import { median, report } from "./machine.ts";
import { type PreparedRun, prepareRun } from "./tenMinuteRun.ts";

const rounds = 5;
const goal_ms = 2_000;

test("from the last interval to the verdict on the screen", async ({ page }) => {
  const product = sharedProduct();
  const feeder = new Feeder(product.url, product.token("agent"));
  const api = new Api(product.url);
  const figures = [];
  for (let round = 0; round < rounds; round += 1) {
    const run = prepareRun(`Ten minutes, round ${round}`, round + 1);
    const began = performance.now();
    await feeder.announce(run);
    const last = run.batches.at(-1);
    if (last === undefined) throw new Error("a run without batches");
    for (const batch of run.batches.slice(0, -1)) await feeder.send(run, batch);
    const fed_ms = performance.now() - began;
    await page.goto(`${product.url}/runs/${run.runId}`);
    await expect(page.getByRole("article").first()).toContainText(/(PASS|FAIL|INDETERMINATE) so far/, {
      timeout: 60_000,
    });
    await caughtUp(api, run);

    const visible = finalVerdictVisible(page);
    const sent = performance.now();
    await feeder.send(run, last);
    const received = performance.now();
    await feeder.finish(run);
    await visible;
    figures.push({ fed_ms, verdict_ms: performance.now() - received, with_sending_ms: performance.now() - sent });
  }
  report([
    `${rounds} rounds of a 10-minute run (12 series, 3,960 intervals, 2.4 million latencies); goal: ${goal_ms} ms`,
    ...figures.map(
      (figure, round) =>
        `  round ${round + 1}: verdict visible ${figure.verdict_ms.toFixed(0)} ms after the last interval was received ` +
        `(${figure.with_sending_ms.toFixed(0)} ms after sending it began; the first 590 s were fed in ${(figure.fed_ms / 1_000).toFixed(1)} s)`,
    ),
    `median ${median(figures.map((figure) => figure.verdict_ms)).toFixed(0)} ms`,
  ]);
});

/** Waits until every verdict covers the data so far, so that the backlog of fast sending is not timed. */
async function caughtUp(api: Api, run: PreparedRun): Promise<void> {
  const through_ns = 590 * 1_000_000_000;
  await expect
    .poll(async () => (await api.run(run.runId)).verdicts.map((verdict) => verdict["data_through_ns"]), {
      timeout: 120_000,
    })
    .toEqual([through_ns, through_ns]);
}

/** Resolves at the first frame with only final verdicts. */
function finalVerdictVisible(page: Page): Promise<unknown> {
  return page.waitForFunction(
    () => {
      const cards = [...document.querySelectorAll("main article")].map((card) => card.textContent ?? "");
      return cards.length > 0 && cards.every((text) => !/(PASS|FAIL|INDETERMINATE) so far/.test(text));
    },
    undefined,
    { polling: "raf", timeout: 120_000 },
  );
}
