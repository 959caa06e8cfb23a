// Test fixture: a course over time from the API, with late degradation after 8 of 24 hours.
import type { ThresholdCourse } from "@/api/types";

const HOUR = 3_600_000_000_000;

type Limits = { lower: number; upper: number };

const UNBOUNDED: Limits = { lower: 0, upper: 1 };

export function thresholdCourse(
  changes: Partial<ThresholdCourse> = {},
  before: Limits = UNBOUNDED,
  after: Limits = UNBOUNDED,
): ThresholdCourse {
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
