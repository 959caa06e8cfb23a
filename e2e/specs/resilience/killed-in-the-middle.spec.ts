// A run whose API, worker, Valkey or agent is killed in the middle loses no interval and ends in the verdict of an
// undisturbed run. The null engine makes that comparable: latencies are a fixed function of seed and operation number.
import { expect, test } from "@playwright/test";
import { AgentRun, nullPlan } from "../../fixtures/agent.ts";
import { Api, type RunState, type SeriesState } from "../../fixtures/api.ts";
import { withoutIdentity } from "../../fixtures/compare.ts";
import type { Product, Role } from "../../fixtures/product.ts";
import { sharedProduct } from "../../fixtures/shared.ts";

const duration_s = 14;
const seed = 41;

let product: Product;
let api: Api;
let undisturbed: RunState;

test.beforeAll(async () => {
  product = sharedProduct();
  api = new Api(product.url);
  const agent = new AgentRun(product, nullPlan({ title: "Undisturbed", duration_s, seed }));
  expect(await agent.ended, agent.complaint).toBe(0);
  undisturbed = await api.judged(await agent.runId);
});

test("an undisturbed run is complete", () => {
  expect(undisturbed.missing).toEqual([]);
  expect(undisturbed.outcome).toBe("completed");
  expect(received(undisturbed)).toEqual(lastSeqs(undisturbed).map((last) => last + 1));
  expect(undisturbed.verdicts.length).toBeGreaterThan(0);
});

test("another seed ends in other figures, so that equality means something", async () => {
  const agent = new AgentRun(product, nullPlan({ title: "Another seed", duration_s, seed: seed + 1 }));
  expect(await agent.ended, agent.complaint).toBe(0);
  const run = await api.judged(await agent.runId);
  expect(shape(run)).toEqual(shape(undisturbed));
  expect(withoutIdentity(run.verdicts)).not.toEqual(withoutIdentity(undisturbed.verdicts));
});

for (const role of ["api", "worker", "valkey", "postgres"] satisfies Role[]) {
  test(`killing ${role} in the middle of a run changes nothing in the end`, async () => {
    const agent = new AgentRun(product, nullPlan({ title: `Killed ${role}`, duration_s, seed }));
    const runId = await agent.runId;
    await api.receiving(runId);

    const killed = product.kill(role);

    expect(killed.length).toBeGreaterThan(0);
    expect(await agent.ended, agent.complaint).toBe(0);
    await product.waitUntilReady();
    expectEqualRuns(await api.judged(runId), undisturbed);
    expect(product.processes(role).map((process) => process.pid)).not.toEqual(expect.arrayContaining(killed));
  });
}

test("a killed agent's spool is delivered later, and the run says that it was interrupted", async () => {
  const agent = new AgentRun(product, nullPlan({ title: "Killed agent", duration_s, seed }));
  const runId = await agent.runId;
  await api.receiving(runId);

  agent.kill();

  expect(await agent.ended).toBeNull();
  expect(await agent.drain(), agent.complaint).toBe(0);
  const run = await api.judged(runId);
  expect(run.outcome).toBe("interrupted");
  expect(run.missing).toEqual([]);
  expect(received(run)).toEqual(lastSeqs(run).map((last) => last + 1));
});

/** Every sequence number of every series is there once, and everything judged is the same. */
function expectEqualRuns(run: RunState, reference: RunState): void {
  expect(run.missing).toEqual([]);
  expect(received(run)).toEqual(lastSeqs(run).map((last) => last + 1));
  expect(shape(run)).toEqual(shape(reference));
  expect(withoutIdentity(run.verdicts)).toEqual(withoutIdentity(reference.verdicts));
}

const received = (run: RunState): number[] => run.series.map((series) => series.received_count);
const lastSeqs = (run: RunState): number[] => run.series.map((series) => series.contiguous_seq);
const shape = (run: RunState): Partial<SeriesState>[] =>
  run.series.map(({ series_no, operation, clock, kind, contiguous_seq }) => ({
    series_no,
    operation,
    clock,
    kind,
    contiguous_seq,
  }));
