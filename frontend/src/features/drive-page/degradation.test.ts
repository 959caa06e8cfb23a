import { describe, expect, it } from "vitest";
import type { OperationCourse, ThresholdCourse } from "@/api/types";
import { tableOf } from "@/charts/spec";
import { degradationSpec, degradationWords } from "./degradation";

const HOUR = 3_600_000_000_000;

function threshold(changes: Partial<ThresholdCourse> = {}): ThresholdCourse {
  const before = { lower: 0.0118, upper: 0.0124 };
  const after = { lower: 0.0335, upper: 0.0345 };
  const hour = { windows: 24, start_ns: 5 * HOUR, end_ns: 6 * HOUR, over_lower: 1, over_upper: 2, total: 3 };
  return {
    threshold_ns: 1_000_000,
    limit_ratio: 0.05,
    budget_name: "act-limits",
    levels: {
      slice_ns: HOUR / 6,
      levels: [
        { start_ns: 0, end_ns: 8 * HOUR, ratio: 0.0121, limits: before, p_value: null },
        { start_ns: 8 * HOUR, end_ns: 24 * HOUR, ratio: 0.034, limits: after, p_value: 1e-9 },
      ],
      reason: null,
    },
    drift: { slope_per_hour: 0.123, slope_lower: 0.1, slope_upper: 0.15, p_value: 0.01, is_shown: true, reason: null },
    late_degradation: {
      is_degraded: true,
      changed_ns: 8 * HOUR,
      before: { start_ns: 0, end_ns: 8 * HOUR, ratio: 0.0121, limits: before },
      after: { start_ns: 8 * HOUR, end_ns: 24 * HOUR, ratio: 0.034, limits: after },
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

const course = (thresholds: ThresholdCourse[]): OperationCourse => ({
  operation: "read",
  clock: "response",
  piece_count: 24,
  piece_duration_ns: HOUR,
  steady_state: null,
  ramp: null,
  steps: [],
  thresholds,
  reason: null,
});

describe("degradation over time", () => {
  it("draws each level with its bounds, and the limit", () => {
    const spec = degradationSpec("Night run", course([threshold()]));
    expect(spec?.title).toBe("Night run: share over each limit, by the hour");
    expect(spec?.limits?.map(({ y }) => y)).toStrictEqual([0.05]);
    const { rows } = tableOf(spec ?? fail(), spec?.series ?? []);
    expect(rows).toStrictEqual([
      [0, 0.0118, 0.0124],
      [8 * 3600, 0.0335, 0.0345],
    ]);
    expect(spec?.drawn?.map(({ x }) => x / HOUR)).toStrictEqual([0, 8, 8, 24]);
  });

  it("draws nothing where no level can be told", () => {
    const untold = threshold({ levels: { levels: [], slice_ns: 1, reason: "no full 10 min" } });
    expect(degradationSpec("Short run", course([untold]))).toBeNull();
  });

  it("says whether it got worse, when, and what that did to the limit", () => {
    const words = (changes: Partial<ThresholdCourse["late_degradation"]> = {}): string =>
      degradationWords(threshold({ late_degradation: { ...threshold().late_degradation, ...changes } })).replaceAll(
        "\u00a0",
        " ",
      );
    expect(words()).toBe("over 1 ms: degraded after 8 h, the limit held; worst hour 3.41–3.46 %");
    expect(words({ hours_until_failing: 9 })).toMatch(/degraded after 8 h, the limit broke after 9 full hours/);
    expect(words({ is_degraded: false })).toMatch(/^over 1 ms: no late degradation/);
    expect(words({ is_degraded: null, reason: "shorter than 6 h" })).toMatch(/^over 1 ms: not told, shorter than 6 h/);
  });
});

function fail(): never {
  throw new Error("there is no picture");
}
