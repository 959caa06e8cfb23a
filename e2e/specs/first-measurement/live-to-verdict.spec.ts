// The first measurement appears live and ends with a verdict, as after `make up`. The real agent measures the real disk
// and a real Valkey while the run page is open.
import { Api } from "../../fixtures/api.ts";
import { poll } from "../../fixtures/poll.ts";
import { Product } from "../../fixtures/product.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";
import type { RunPage } from "../../pages/RunPage.ts";

const duration_s = 25;
let measuring: Product;
let api: Api;

test.beforeAll(async () => {
  test.setTimeout(300_000); // starts its own product, while two other journeys run
  measuring = await Product.start({ measure_s: duration_s });
  api = new Api(measuring.url);
});
test.afterAll(() => measuring.stop());

test("first measurement appears live and ends with a verdict", async ({ page, runPage }) => {
  test.setTimeout(480_000);

  await test.step("the device run is seen live", async () => {
    await page.goto(await announced(0));
    await expect(runPage.title).toHaveText(/device/i);
    await expectLive(runPage, /^Read: response time over time/);
  });

  await test.step("and ends with the verdict that the API gives", async () => {
    await expectFinalVerdicts(runPage);
  });

  await test.step("the fraud run is seen live", async () => {
    await page.goto(await announced(1));
    await expect(runPage.title).toHaveText(/250 reads in 1 s/);
    await expectLive(runPage, /^Transaction: response time over time/);
  });

  await test.step("and ends with a verdict that model and measured transactions stand behind", async () => {
    await expectFinalVerdicts(runPage);
    await expect(runPage.cards.filter({ hasText: /of 2,6\d\d transactions were in time/ })).toHaveCount(1);
    await expectAccessible(page);
  });

  await test.step("the terminal says the same", async () => {
    await expect.poll(() => measuring.log()).toContain("stays up until Ctrl-C");
    for (const { verdicts } of await finishedRuns()) {
      // The terminal prints each run's first answer; the page shows all.
      expect(measuring.log()).toContain(shown(String(verdicts[0]?.verdict)));
    }
  });
});

/** Returns the URL of the first or second run's page, as soon as it is printed. */
function announced(position: number): Promise<string> {
  return poll(async () => measuring.announced()[position] ?? null, {
    within_ms: 120_000,
    what: `tailroom up prints the address of run ${position + 1}`,
  });
}

/** Asserts that new points and a first verdict appear while the run is live. */
async function expectLive(runPage: RunPage, chart: RegExp): Promise<void> {
  await expect(runPage.state).toContainText("live");
  await expect(runPage.chart(chart)).toBeVisible();
  const before = await runPage.positions(chart);
  await expect.poll(() => runPage.positions(chart)).toBeGreaterThanOrEqual(before + 3);
  await expect(runPage.provisional).not.toHaveCount(0);
}

/** Asserts that the page shows the API's final verdicts without a reload. */
async function expectFinalVerdicts(runPage: RunPage): Promise<void> {
  // While other processes use both cores, transactions fall behind; those that were due are carried out after the end.
  await expect(runPage.state).toContainText(new RegExp(`${duration_s}\\ss, complete`), { timeout: 180_000 });
  await expect(runPage.provisional).toHaveCount(0);
  const run = await api.judged(runPage.runId());
  expect(run.missing).toEqual([]);
  await expect(runPage.cards).toHaveCount(run.verdicts.length);
  for (const [position, verdict] of run.verdicts.entries()) {
    await expect(runPage.cards.nth(position)).toContainText(shown(verdict.verdict));
  }
  await expect(runPage.facts).toContainText("none missing");
}

/** Returns the word for a verdict on pages and in the terminal. */
const shown = (verdict: string): string => (verdict === "INDETERMINATE" ? "Undecided" : verdict);

interface Finished {
  simulated: boolean;
  phase_kind: string | null;
  verdicts: { verdict: string }[];
}

/** Returns the two measured runs. The example is simulated, and the run that fills the database is not judged. */
async function finishedRuns(): Promise<Finished[]> {
  const { runs } = await api.get<{ runs: Finished[] }>("/runs?state=finished");
  expect(runs.filter(({ simulated }) => simulated)).toHaveLength(1);
  const measured = runs.filter(({ simulated, phase_kind }) => !simulated && phase_kind === null);
  expect(measured).toHaveLength(2);
  return measured;
}
