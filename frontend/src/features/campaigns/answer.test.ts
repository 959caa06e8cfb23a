import { describe, expect, it } from "vitest";
import type { Campaign } from "@/api/campaigns";
import type { Percentiles, RunSummary } from "@/api/types";
import { answerOf } from "./answer";
import type { PhaseRow } from "./phaseRows";
import { type AgentFigures, figuresOf } from "./useAgentFigures";
import type { OwnVerdict, PhaseResult } from "./usePhaseResults";

const campaign = (change: Partial<Campaign> = {}): Campaign =>
  ({
    state: "ended",
    outcome: "completed",
    reason: null,
    search: null,
    waiting_for: null,
    agents: [{ agent_id: "a" }, { agent_id: "b" }],
    phases: [{ kind: "measure", state: "ended", name: "run" }],
    ...change,
  }) as unknown as Campaign;

const row = (operation: string, upper: number | null, change: Partial<PhaseRow> = {}): PhaseRow => ({
  operation,
  name: operation,
  target: 500,
  achieved: 499,
  p99: { lower: 0, upper },
  clock: "response",
  count: 4990,
  missRatio: 0,
  ...change,
});

const ASKED = { operations_per_s: { get: 400, set: 100 }, transactions_per_s: null };
const measuredPhases = (...names: string[]) =>
  ({ phases: names.map((name) => ({ kind: "measure", state: "ended", name })) }) as Partial<Campaign>;

const result = (name: string, rows: readonly PhaseRow[], verdict?: string, asked = ASKED): PhaseResult =>
  ({
    phase: { name, kind: "measure", merged: ["a", "b"], ...asked },
    rows,
    run: verdict === undefined ? undefined : ({ verdicts: [{ verdict }] } as unknown as RunSummary),
  }) as unknown as PhaseResult;

const textOf = ({ sentence: { before, key, after } }: ReturnType<typeof answerOf>): string =>
  `${before}${key}${after}`.replaceAll("\u00a0", " ");

describe("the answer of a campaign", () => {
  it("is the largest bound of its operations, with the rate beside the one asked for", () => {
    const answer = answerOf(campaign(), [result("run", [row("get", 15.64e6), row("set", 9e6)])], new Map(), new Map());
    expect(textOf(answer)).toBe("99 of 100 operations end within 15.7 ms.");
    expect(answer.reason?.replaceAll("\u00a0", " ")).toBe(
      "998 ops/s of 1.00k ops/s asked, by 2 agents. Response time, counted from the schedule.",
    );
  });

  it("is about transactions where the phase has them", () => {
    const rows = [row("transaction", 80e6), row("read", 900e6)];
    const asked = { operations_per_s: { read: 500 }, transactions_per_s: 10 } as never;
    expect(textOf(answerOf(campaign(), [result("run", rows, undefined, asked)], new Map(), new Map()))).toBe(
      "99 of 100 transactions end within 80.0 ms.",
    );
  });

  it("does not count the parts of an operation beside it", () => {
    const rows = [
      row("read-modify-write", 11e6),
      row("read", 7e6),
      row("rmw-read", 6e6, { target: undefined, clock: "service" }),
      row("rmw-update", 5e6, { target: undefined, clock: "service" }),
    ];
    const asked = { operations_per_s: { read: 500, "read-modify-write": 500 }, transactions_per_s: null } as never;
    expect(answerOf(campaign(), [result("run", rows, undefined, asked)], new Map(), new Map()).reason).toMatch(
      /^998\Wops\/s of 1\.00k\Wops\/s asked/,
    );
  });

  it("names the phase where another has no result yet", () => {
    const two = campaign(measuredPhases("P1", "P2"));
    expect(textOf(answerOf(two, [result("P1", [row("get", 80e6)])], new Map(), new Map()))).toBe(
      "In P1, 99 of 100 operations end within 80.0 ms.",
    );
    expect(textOf(answerOf(two, [result("P1", [row("get", 80e6)], "PASS")], new Map(), new Map()))).toBe(
      "1 of 2 phases passes; P2 has no verdict.",
    );
  });

  it("never names a time where the slowest are beyond what was recorded", () => {
    const answer = answerOf(campaign(), [result("run", [row("get", 1e6), row("set", null)])], new Map(), new Map());
    expect(textOf(answer)).toMatch(/the slowest are beyond what was recorded\.$/);
  });

  it("counts the phases that pass, and names those that do not", () => {
    const rows = [row("get", 1e6)];
    const results = [result("P1", rows, "PASS"), result("P2", rows, "FAIL"), result("P3", rows, "INDETERMINATE")];
    expect(textOf(answerOf(campaign(measuredPhases("P1", "P2", "P3")), results, new Map(), new Map()))).toBe(
      "1 of 3 phases passes; P2 fails; P3 is undecided.",
    );
  });

  it("is how it stands until every agent has measured, then what all of them keep so far", () => {
    const live = campaign({ state: "running", phases: [{ state: "running", name: "run" }] as never });
    const first = new Map<string, AgentFigures>([["a", { noun: "operations", rate: 500, p99Ns: 2e6 }]]);
    expect(textOf(answerOf(live, [], first, new Map()))).toBe("Phase run on 2 agents.");
    const both = new Map<string, AgentFigures>([...first, ["b", { noun: "operations", rate: 400, p99Ns: 3e6 }]]);
    expect(textOf(answerOf(live, [], both, new Map()))).toBe("99 of 100 operations end within 3.00 ms so far.");
    const agents = [{ agent_id: "a" }, { agent_id: "b", state: "lost" }] as never;
    expect(answerOf({ ...live, agents }, [], both, new Map()).reason).toMatch(/^500\Wops\/s by 1 agent\.$/);
  });
});

describe("the answer of runs that are not added up", () => {
  const pass = { verdict: "PASS", title: "a" } as const;
  const fail = { verdict: "FAIL", title: "b" } as const;
  const answer = (objectives: string[], ...runs: OwnVerdict[][]) =>
    textOf(answerOf(campaign({ objectives }), [], new Map(), new Map(runs.map((of, i) => [String(i), of]))));

  it("counts the runs that pass, by all objectives if there are any", () => {
    expect(answer([], [pass, fail], [fail])).toBe("1 of 2 runs passes; 1 fails.");
    expect(answer(["a", "b"], [pass, fail, pass], [pass, pass])).toBe("1 of 2 runs passes; 1 fails.");
  });

  it("is the state while a run has no verdict", () => {
    expect(answer([], [pass], [])).toBe("Completed: 1 phase measured.");
  });
});

describe("the figures of an agent", () => {
  const curve = (operation: string, clock: string, upper_ns: number) => ({
    operation,
    clock,
    count: 1000,
    measured_ns: 2e9,
    points: [
      { quantile: 0.5, lower_ns: 0, upper_ns: 1 },
      { quantile: 0.99, lower_ns: 0, upper_ns },
    ],
  });

  it("are of response time, over all operations that its phase asks for", () => {
    const curves = [
      curve("get", "response", 5),
      curve("set", "response", 7),
      curve("get", "service", 90),
      curve("get-miss", "service", 90),
    ] as unknown as Percentiles["curves"];
    expect(figuresOf({ run_id: "", curves }, ASKED)).toEqual({ noun: "operations", rate: 1000, p99Ns: 7 });
    expect(figuresOf({ run_id: "", curves: curves.map((each) => ({ ...each, measured_ns: 0 })) }, ASKED)).toBeNull();
  });

  it("are bounded by the slowest operation where there are fewer than 100", () => {
    const few = { ...curve("read", "response", 5), points: [], max_ns: 9, miss_count: 0 };
    const asked = { operations_per_s: {}, transactions_per_s: null };
    const of = (change: object) => figuresOf({ run_id: "", curves: [{ ...few, ...change }] as never }, asked)?.p99Ns;
    expect(of({})).toBe(9);
    expect(of({ miss_count: 1 })).toBeNull();
  });

  it("are of its transactions, whose reads have service times alone", () => {
    const curves = [
      curve("transaction", "response", 80),
      curve("read", "service", 5),
      curve("update", "response", 7),
    ] as unknown as Percentiles["curves"];
    const asked = { operations_per_s: { read: 500, update: 100 }, transactions_per_s: 10 };
    expect(figuresOf({ run_id: "", curves }, asked)).toEqual({ noun: "transactions", rate: 500, p99Ns: 80 });
  });
});
