import { describe, expect, it } from "vitest";
import type { OperationCourse, ThresholdCourse } from "@/api/types";
import { tableOf } from "@/charts/spec";
import { operationLines, type Said, thresholdLines, untoldReasons } from "./courseWords";
import { budgetSpec } from "./specs/budgetSpec";

const HOUR = 3_600_000_000_000;
const plain = (said: Said): string => (said.text ?? `untold: ${said.reason}`).replaceAll("\u00a0", " ");

function threshold(changes: Partial<ThresholdCourse> = {}): ThresholdCourse {
  const limits = { lower: 0, upper: 1 };
  const hour = { windows: 24, start_ns: 5 * HOUR, end_ns: 6 * HOUR, over_lower: 1, over_upper: 2, total: 3 };
  return {
    threshold_ns: 1_000_000,
    limit_ratio: 0.05,
    budget_name: "act-limits",
    levels: {
      slice_ns: HOUR / 6,
      levels: [
        { start_ns: 0, end_ns: 8 * HOUR, ratio: 0.0121, limits, p_value: null },
        { start_ns: 8 * HOUR, end_ns: 24 * HOUR, ratio: 0.034, limits, p_value: 1e-9 },
      ],
      reason: null,
    },
    drift: { slope_per_hour: 0.123, slope_lower: 0.1, slope_upper: 0.15, p_value: 0.01, is_shown: true, reason: null },
    late_degradation: {
      is_degraded: true,
      changed_ns: 8 * HOUR,
      before: { start_ns: 0, end_ns: 8 * HOUR, ratio: 0.0121, limits },
      after: { start_ns: 8 * HOUR, end_ns: 24 * HOUR, ratio: 0.034, limits },
      p_value: 1e-9,
      lasts: true,
      hours_until_failing: null,
      recovery_ns: null,
      reason: null,
    },
    worst_aligned_hour: { ...hour, worst_lower: 0.03412, worst_upper: 0.03458, reason: null },
    worst_rolling_hour: { ...hour, worst_lower: 0.035, worst_upper: 0.035, reason: null },
    compliance: { hours: 24, kept_ratio: 1, first_violation_ns: null, longest_violation_hours: 0, reason: null },
    burn: {
      budget_count: 100,
      bad_count: 150,
      total_count: 2000,
      rate: 1.5,
      exhausted_ns: 16 * HOUR,
      end_ns: [HOUR, 24 * HOUR],
      consumed_ratio: [0.1, 1.5],
      fastest: [
        { length_ns: HOUR / 12, rate: 9, start_ns: 0, end_ns: 1, bad: 1, total: 2, is_greyed: true, reason: null },
        { length_ns: HOUR, rate: 2.1, start_ns: 5 * HOUR, end_ns: 1, bad: 1, total: 2, is_greyed: false, reason: null },
      ],
      alerts: [
        { severity: "page", rate: 14.4, long_ns: HOUR, short_ns: HOUR / 12, fired_ns: null, reason: null },
        { severity: "ticket", rate: 1, long_ns: 72 * HOUR, short_ns: 6 * HOUR, fired_ns: null, reason: "no full 72 h" },
      ],
      reason: null,
    },
    ...changes,
  };
}

const operation: OperationCourse = {
  operation: "read",
  clock: "response",
  piece_count: 15,
  piece_duration_ns: 2_000_000_000,
  steady_state: {
    round_ns: HOUR / 6,
    rounds: 5,
    series: [],
    first_round: 0,
    start_ns: 0,
    end_ns: HOUR,
    reason: null,
  },
  ramp: { cut_ns: null, mser_cut_ns: null, reason: "30 s are too short" },
  steps: [
    {
      quantity: "throughput",
      slice_ns: 1,
      steps: [{ at_ns: 3 * HOUR, before: 2000, after: 1900, step_ratio: -0.05, p_value: 0 }],
      reason: null,
    },
    { quantity: "mean latency", slice_ns: 1, steps: [], reason: null },
  ],
  thresholds: [threshold()],
  reason: null,
};

describe("the course of a run in words", () => {
  it("says what is known in a few words with their units", () => {
    expect(operationLines(operation).map((line) => `${line.name}: ${plain(line.said)}`)).toEqual([
      "Steady state: from the start to 1 h, by 5 rounds of 10 min",
      "Ramp: untold: 30 s are too short",
      "Throughput: at 3 h from 2.00k ops/s to 1.90k ops/s",
      "Mean latency: no change of level",
    ]);
    expect(thresholdLines(threshold()).map((line) => `${line.name}: ${plain(line.said)}`)).toEqual([
      "Levels: 1.21 %, then 3.40 % from 8 h",
      "Drift: +0.12 points per hour (0.10 to 0.15)",
      "Late degradation: 1.21 % to 3.40 % from 8 h; to the end; the limit held",
      "Worst hour, from the start: 3.41–3.46 %, from 5 h",
      "Worst hour, anywhere: 3.50 %, from 5 h",
      "Hours within the limit: 24 of 24",
      "Error budget used: 150 %, all of it by 16 h",
      "Fastest use: 2.10 × over 1 h, from 5 h",
      "Alerts: none of those that fit into the run (1)",
    ]);
  });

  it("does not call a trend what may be chance, nor a window one that means nothing", () => {
    const words = (changes: Partial<ThresholdCourse>, name: string): string =>
      plain(thresholdLines(threshold(changes)).find((line) => line.name === name)!.said);
    expect(words({ drift: { ...threshold().drift, is_shown: false } }, "Drift")).toBe("no more than chance");
    const burn = { ...threshold().burn, fastest: threshold().burn.fastest.slice(0, 1) };
    expect(words({ burn }, "Fastest use")).toMatch(/^untold: fewer than 10/);
  });

  it("names each reason once with all it concerns", () => {
    const short = { levels: [], slice_ns: 1, reason: "no full 10 min" };
    const lines = thresholdLines(
      threshold({ levels: short, drift: { ...threshold().drift, slope_per_hour: null, reason: "no full 10 min" } }),
    );
    expect(untoldReasons([...lines, ...lines])).toEqual([{ reason: "no full 10 min", names: ["Levels", "Drift"] }]);
  });
});

describe("the picture of the error budget", () => {
  it("keeps exact values beside what is drawn, and the whole budget as a line", () => {
    const spec = budgetSpec(
      { ...operation, thresholds: [threshold({ burn: { ...threshold().burn, consumed_ratio: [0.1, 7] } })] },
      { plannedNs: 24 * HOUR, live: false },
    )!;
    expect(spec.limits).toEqual([{ y: 1, label: "all of the budget" }]);
    expect(spec.rows.at(-1)!["1000000"]).toBe(2);
    expect(tableOf(spec, spec.series)).toEqual({
      header: ["time_since_start_s", "consumed_ratio_1000000ns"],
      rows: [
        [3600, 0.1],
        [86_400, 7],
      ],
    });
    expect(spec.series[0]!.read(spec.rows.at(-1)!)).toBe("700\u00a0%");
  });

  it("is left out before there is anything to join", () => {
    expect(budgetSpec({ ...operation, thresholds: [] }, { plannedNs: 1, live: false })).toBeNull();
  });
});
