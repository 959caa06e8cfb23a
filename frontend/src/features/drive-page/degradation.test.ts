import { describe, expect, it } from "vitest";
import type { OperationCourse, ThresholdCourse } from "@/api/types";
import { tableOf } from "@/charts/spec";
import { thresholdCourse } from "@/test/courseFixtures";
import { degradationSpec, degradationWords } from "./OverTime";

const HOUR = 3_600_000_000_000;

const threshold = (changes: Partial<ThresholdCourse> = {}): ThresholdCourse =>
  thresholdCourse(changes, { lower: 0.0118, upper: 0.0124 }, { lower: 0.0335, upper: 0.0345 });

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
    expect(words()).toBe("over 1 ms: degraded after 8 h, the limit held; worst hour 3.4–3.5 %");
    expect(words({ hours_until_failing: 9 })).toMatch(/degraded after 8 h, the limit broke after 9 full hours/);
    expect(words({ is_degraded: false })).toMatch(/^over 1 ms: no late degradation/);
    expect(words({ is_degraded: null, reason: "shorter than 6 h" })).toMatch(/^over 1 ms: not told, shorter than 6 h/);
  });
});

function fail(): never {
  throw new Error("there is no picture");
}
