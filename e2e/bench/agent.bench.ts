// Measures the agent's CPU and memory use and its rate error at 1x: real engine, real file, 40 s, of which 30 s are
// measured from /proc.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { AgentRun } from "../fixtures/agent.ts";
import { Api } from "../fixtures/api.ts";
import { resourceUse } from "../fixtures/processes.ts";
import { checkout, type Product } from "../fixtures/product.ts";
import { sharedProduct } from "../fixtures/shared.ts";
import { median, report } from "./machine.ts";

const rounds = 3;
const duration_s = 40;
const window_s = 30;

interface Timeline {
  series: { operation: string; clock: string; ticks: { count: number[]; target_count: (number | null)[] } }[];
}

test("the agent at 1x", async () => {
  const product = sharedProduct();
  const api = new Api(product.url);
  const file = join(checkout, ".tailroom", `bench-${process.pid}.dat`);
  const figures = [];
  try {
    for (let round = 0; round < rounds; round += 1) figures.push(await measure(product, api, file));
  } finally {
    rmSync(file, { force: true });
  }
  report([
    `${rounds} runs of ${duration_s} s at 1x (2,000 reads/s, large blocks 2 x 23.53/s); goals: rate within 0.1 %, CPU < 3 %, < 30 MB resident`,
    ...figures.map(
      (figure, round) =>
        `  run ${round + 1}: rate error ${percent(figure.rate_error)}, CPU ${percent(figure.cpu_ratio)} of one core, ` +
        `resident ${(figure.resident_bytes / 1e6).toFixed(1)} MB (peak ${(figure.peak_bytes / 1e6).toFixed(1)} MB)`,
    ),
    `median: rate error ${percent(median(figures.map((figure) => figure.rate_error)))}, ` +
      `CPU ${percent(median(figures.map((figure) => figure.cpu_ratio)))}, ` +
      `resident ${(median(figures.map((figure) => figure.resident_bytes)) / 1e6).toFixed(1)} MB`,
  ]);
});

async function measure(product: Product, api: Api, file: string) {
  const agent = new AgentRun(product, devicePlan(file));
  const runId = await agent.runId;
  await api.receiving(runId);
  const { pid } = agent.process;
  if (pid === undefined) throw new Error("the agent has no process");
  const before = resourceUse(pid);
  const began = performance.now();
  await pause(window_s * 1_000);
  const after = resourceUse(pid);
  const elapsed_s = (performance.now() - began) / 1_000;
  expect(await agent.ended, agent.complaint).toBe(0);
  await api.judged(runId);
  return {
    cpu_ratio: (after.cpu_s - before.cpu_s) / elapsed_s,
    resident_bytes: after.resident_bytes,
    peak_bytes: after.resident_peak_bytes,
    rate_error: await rateError(api, runId),
  };
}

/** Returns the relative error of completed against intended reads over the whole run, from its ticks. */
async function rateError(api: Api, runId: string): Promise<number> {
  const { series } = await api.get<Timeline>(`/runs/${runId}/timeline`);
  const reads = series.find((each) => each.operation === "read" && each.clock === "response");
  if (reads === undefined) throw new Error("the run has no ticks of reads");
  const done = reads.ticks.count.reduce((sum, each) => sum + each, 0);
  return Math.abs(done / (2_000 * duration_s) - 1);
}

const percent = (ratio: number): string => `${(100 * ratio).toFixed(3)} %`;

function devicePlan(file: string): string {
  return `title = "Agent at 1x"
workload = "act-storage"
duration_s = ${duration_s}
histogram_every_s = 10
[act_storage]
path = ${JSON.stringify(file)}
file_size_bytes = ${2 ** 30}
`;
}
