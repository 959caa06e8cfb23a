import { describe, expect, it } from "vitest";
import type { Campaign } from "@/api/campaigns";
import type { Percentiles, RunSummary } from "@/api/types";
import { answerOf } from "./answer";
import type { PhaseRow } from "./phaseRows";
import { figuresOf } from "./useAgentFigures";
import type { PhaseResult } from "./usePhaseResults";

const campaign = (change: Partial<Campaign> = {}): Campaign =>
  ({
    state: "ended",
    outcome: "completed",
    reason: null,
    search: null,
    waiting_for: null,
    agents: [{}, {}],
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

const result = (name: string, rows: readonly PhaseRow[], verdict?: string): PhaseResult =>
  ({
    phase: { name, kind: "measure", merged: ["a", "b"] },
    rows,
    run: verdict === undefined ? undefined : ({ verdicts: [{ verdict }] } as unknown as RunSummary),
  }) as unknown as PhaseResult;

const textOf = ({ sentence: { before, key, after } }: ReturnType<typeof answerOf>): string =>
  `${before}${key}${after}`.replaceAll("\u00a0", " ");

describe("the answer of a campaign", () => {
  it("is the largest bound of its operations, with the rate beside the one asked for", () => {
    const answer = answerOf(campaign(), [result("run", [row("get", 15.64e6), row("set", 9e6)])], new Map());
    expect(textOf(answer)).toBe("99 of 100 operations end within 15.7 ms.");
    expect(answer.reason?.replaceAll("\u00a0", " ")).toBe(
      "998 ops/s of 1.00k ops/s asked, by 2 agents. Response time, counted from the schedule.",
    );
  });

  it("is about transactions where the phase has them", () => {
    const rows = [row("transaction", 80e6), row("read", 900e6)];
    expect(textOf(answerOf(campaign(), [result("run", rows)], new Map()))).toBe(
      "99 of 100 transactions end within 80.0 ms.",
    );
  });

  it("never names a time where the slowest are beyond what was recorded", () => {
    const answer = answerOf(campaign(), [result("run", [row("get", 1e6), row("set", null)])], new Map());
    expect(textOf(answer)).toMatch(/the slowest are beyond what was recorded\.$/);
  });

  it("counts the phases that pass, and names those that do not", () => {
    const rows = [row("get", 1e6)];
    const results = [result("P1", rows, "PASS"), result("P2", rows, "FAIL"), result("P3", rows, "INDETERMINATE")];
    expect(textOf(answerOf(campaign(), results, new Map()))).toBe("1 of 3 phases passes; P2 fails; P3 is undecided.");
  });

  it("is how it stands until every agent has measured, then what all of them keep so far", () => {
    const live = campaign({ state: "running", phases: [{ state: "running", name: "run" }] as never });
    const first = new Map([["a", { rate: 500, p99Ns: 2e6 }]]);
    expect(textOf(answerOf(live, [], first))).toBe("Phase run on 2 agents.");
    const both = new Map([...first, ["b", { rate: 400, p99Ns: 3e6 }] as const]);
    expect(textOf(answerOf(live, [], both))).toBe("99 of 100 operations end within 3.00 ms so far.");
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

  it("are of response time, over all operations, without the transactions that these make up", () => {
    const curves = [
      curve("get", "response", 5),
      curve("set", "response", 7),
      curve("get", "service", 90),
      curve("transaction", "response", 80),
    ] as unknown as Percentiles["curves"];
    expect(figuresOf({ run_id: "", curves })).toEqual({ rate: 1000, p99Ns: 7 });
    expect(figuresOf({ run_id: "", curves: curves.map((each) => ({ ...each, measured_ns: 0 })) })).toBeNull();
  });
});
