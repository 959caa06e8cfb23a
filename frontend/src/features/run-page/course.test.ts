import { describe, expect, it } from "vitest";
import type { OperationCourse, ThresholdCourse } from "@/api/types";
import { tableOf } from "@/charts/spec";
import type { Assessment } from "@/entities/run/words";
import { thresholdCourse } from "@/test/courseFixtures";
import { operationLines, thresholdLines, unassessedReasons } from "./courseWords";
import { budgetSpec } from "./specs/budgetSpec";

const HOUR = 3_600_000_000_000;
const plain = ({ text, reason }: Assessment): string => (text ?? `not assessed: ${reason}`).replaceAll("\u00a0", " ");

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
  thresholds: [thresholdCourse()],
  reason: null,
};

describe("the course of a run in words", () => {
  it("says what is known in a few words with their units", () => {
    expect(operationLines(operation).map((line) => `${line.name}: ${plain(line.value)}`)).toEqual([
      "Steady state: from the start to 1 h, by 5 rounds of 10 min",
      "Ramp: not assessed: 30 s are too short",
      "Throughput: at 3 h from 2.00k ops/s to 1.90k ops/s",
      "Mean latency: no change of level",
    ]);
    expect(thresholdLines(thresholdCourse()).map((line) => `${line.name}: ${plain(line.value)}`)).toEqual([
      "Levels: 1.2 %, then 3.4 % from 8 h",
      "Drift: +0.12 points per hour (0.10 to 0.15)",
      "Late degradation: 1.2 % to 3.4 % from 8 h; to the end; the limit held",
      "Worst hour, from the start: 3.4–3.5 %, from 5 h",
      "Worst hour, anywhere: 3.5 %, from 5 h",
      "Hours within the limit: 24 of 24",
      "Error budget used: 150 %, all of it by 16 h",
      "Fastest use: 2.10 × over 1 h, from 5 h",
      "Alerts: none of those that fit into the run (1)",
    ]);
  });

  it("does not call a trend what may be chance, nor a window one that means nothing", () => {
    const words = (changes: Partial<ThresholdCourse>, name: string): string =>
      plain(thresholdLines(thresholdCourse(changes)).find((line) => line.name === name)!.value);
    expect(words({ drift: { ...thresholdCourse().drift, is_shown: false } }, "Drift")).toBe("no more than chance");
    const burn = { ...thresholdCourse().burn, fastest: thresholdCourse().burn.fastest.slice(0, 1) };
    expect(words({ burn }, "Fastest use")).toMatch(/^not assessed: fewer than 10/);
  });

  it("names each reason once with all it concerns", () => {
    const short = { levels: [], slice_ns: 1, reason: "no full 10 min" };
    const lines = thresholdLines(
      thresholdCourse({
        levels: short,
        drift: { ...thresholdCourse().drift, slope_per_hour: null, reason: "no full 10 min" },
      }),
    );
    expect(unassessedReasons([...lines, ...lines])).toEqual([{ reason: "no full 10 min", names: ["Levels", "Drift"] }]);
  });
});

describe("the picture of the error budget", () => {
  it("keeps exact values beside what is drawn, and the whole budget as a line", () => {
    const spec = budgetSpec(
      {
        ...operation,
        thresholds: [thresholdCourse({ burn: { ...thresholdCourse().burn, consumed_ratio: [0.1, 7] } })],
      },
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
