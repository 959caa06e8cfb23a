// Database plans on a real Valkey: every phase, including loading and warm-up, is a run with its own page, live during
// the measurement. Only agreement of agent and pages is asserted, not latencies.
import { AgentRun } from "../../fixtures/agent.ts";
import type { RunState } from "../../fixtures/api.ts";
import { expect, expectAccessible, test } from "../../fixtures/test.ts";

const name = (): string => `Phases ${crypto.randomUUID().slice(0, 8)}`;

const ladder = (title: string): string => `workload = "fraud"
title = "${title}"
[fraud]
objects = 2000
reads_per_transaction = 10
connections = 4
warm_up_s = 1
ramp_s = 0
measure_s = 4
[[fraud.phases]]
name = "P1"
reads_per_s = 500
[[fraud.phases]]
name = "P2"
reads_per_s = 500
updates_per_s = 100
measure_s = 2
`;

const keyValue = (title: string): string => `workload = "keyvalue"
title = "${title}"
[keyvalue]
ratio = "1:4"
key_maximum = 1999
object_bytes = 100
connections = 4
measure_s = 2
`;

const propertyFile = `recordcount=500
operationcount=4000
workload=site.ycsb.workloads.CoreWorkload
readproportion=0.5
updateproportion=0
readmodifywriteproportion=0.5
requestdistribution=zipfian
threadcount=4
`;

test("the phases of database plans are seen live, each with a page of its own", async ({
  page,
  product,
  api,
  runPage,
  runListPage,
  valkey,
}) => {
  test.setTimeout(120_000);
  const target = ["--target", valkey.url, "--histogram-every-s", "1"];
  const title = name();
  const agent = new AgentRun(product, ladder(title), target);

  await test.step("a phase is seen live, and its load as it is intended", async () => {
    await expect.poll(() => agent.runIds.length, { timeout: 60_000 }).toBe(3);
    await runPage.open(String(agent.runIds[2]));
    await expect(runPage.title).toHaveText(`${title} · P1`);
    await expect(runPage.state).toContainText("live");
    await expect(runPage.state).toContainText("Fraud ladder");
    expect(await agent.ended, agent.complaint).toBe(0);
    await expect(runPage.state).toContainText("complete");
  });

  const runs = await test.step("the API has every phase, whole", async () => {
    const found: RunState[] = [];
    // Loading and warm-up contain no user requests: they are measured but not judged.
    for (const run of agent.runIds.slice(0, 2)) found.push(await api.run(run));
    for (const run of agent.runIds.slice(2)) found.push(await api.judged(run));
    expect(found.map((run) => run.verdicts.length > 0)).toEqual([false, false, true, true]);
    expect(found.map((run) => run.title.split(" · ")[1])).toEqual(["load", "warm-up", "P1", "P2"]);
    expect(found.map((run) => [run.outcome, run.missing.length])).toEqual(found.map(() => ["completed", 0]));
    expect(operations(found[0])).toEqual(["insert"]);
    expect(operations(found[3])).toEqual(["update", "transaction", "read"]);
    return found;
  });

  await test.step("a load says after how many objects it ends, and what server it filled", async () => {
    await runPage.open(String(runs[0]?.run_id));
    await expect(page.getByText("its operations are not requests of users")).toBeVisible();
    await expect(runPage.facts).toContainText("2,000 operations");
    await runPage.facts.locator("summary", { hasText: "Plan" }).click();
    await expect(runPage.facts).toContainText("Valkey");
    await expectAccessible(page);
  });

  await test.step("the last phase shows both operations over time", async () => {
    await runPage.open(String(runs[3]?.run_id));
    await expect(runPage.chart(/./).first()).toBeVisible();
  });

  await test.step("the list finds them by the title of the plan", async () => {
    await runListPage.open(`?q=${encodeURIComponent(title)}`);
    await expect(runListPage.count).toHaveText("4 runs match");
  });

  await test.step("a key-value test and a property file of YCSB take the objects of another plan away when told", async () => {
    for (const [plan, workload] of [
      [keyValue(name()), "Key-value"],
      [propertyFile, "YCSB"],
    ] as const) {
      const other = new AgentRun(product, plan, [...target, "--reload"]);
      expect(await other.ended, other.complaint).toBe(0);
      expect(other.runIds).toHaveLength(2);
      await runPage.open(String(other.runIds[1]));
      await expect(runPage.state).toContainText(workload);
      await expect(runPage.state).toContainText("complete");
      await expect(page.getByRole("status").filter({ hasText: "No verdict." })).toContainText("No built-in question");
      await expect(page.getByText("No rate was intended").first()).toBeVisible();
    }
  });
});

const operations = (run: RunState | undefined): string[] => [...new Set(run?.series.map((series) => series.operation))];
