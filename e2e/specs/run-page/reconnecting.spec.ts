// The API dies while a run page is open: the page reports it, reconnects, stops the run, and finally shows all data.
import { AgentRun, nullPlan } from "../../fixtures/agent.ts";
import { expect, test } from "../../fixtures/test.ts";

// Console errors of the browser for requests that a dead API cannot answer.
test.use({ expectedErrors: /Failed to load resource|net::ERR_/ });

const chart = /^Read: response time over time/;

test("the page reconnects by itself, can stop the run, and misses nothing", async ({ page, product, api, runPage }) => {
  const agent = new AgentRun(product, nullPlan({ title: "Watched through a crash", duration_s: 110, seed: 9 }));
  const runId = await agent.runId;
  await api.receiving(runId);
  await runPage.open(runId);
  await expect(runPage.state).toContainText("live");
  await expect.poll(() => runPage.positions(chart)).toBeGreaterThanOrEqual(3);

  const before = await runPage.positions(chart);
  product.kill("api");

  await expect(runPage.reconnecting).toContainText("nothing is lost");
  await expect(runPage.reconnecting).toBeHidden({ timeout: 60_000 });
  await expect.poll(() => runPage.positions(chart)).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("button", { name: "Stop the run" }).click();
  await expect(runPage.state).toContainText("stopped after");
  expect(await agent.ended, agent.complaint).toBe(0);

  const run = await api.judged(runId);
  expect([run.outcome, run.missing]).toEqual(["stopped", []]);
  // Intervals of one second, each of which has its place in the chart.
  const intervals = run.series.find(
    ({ kind, clock, operation }) => kind === "tick" && clock === "response" && operation === "read",
  );
  await expect.poll(() => runPage.positions(chart)).toBe(intervals?.received_count);
  await expect(runPage.facts).toContainText("none missing");
  await expect(runPage.cards.first()).toBeVisible();
  await expect(runPage.provisional).toHaveCount(0);
});
