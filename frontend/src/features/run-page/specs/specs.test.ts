import { describe, expect, it } from "vitest";
import type { PercentileCurve } from "@/api/types";
import { tableOf } from "@/charts/spec";
import { keyedCurve, percentileRows, percentileSpec } from "@/entities/run/percentileSpec";
import { shareRows, shareSpec } from "@/entities/run/shareSpec";
import { measuredShareAt, modelAt } from "@/entities/verdict/transactionTime";
import { timeline, transactionVerdict } from "@/test/fixtures";
import { transactionSpec } from "../Charts";
import { latencyRows, latencySpec } from "./latencySpec";
import { rateSpec } from "./rateSpec";

const series = timeline(4).series[0]!;
const span = { plannedNs: 30e9, live: true };
const plain = (text: string | null): string => (text ?? "").replaceAll("\u00a0", " ");

const slice = (start: number, duration: number) => ({
  start_ns: start * 1e9,
  duration_ns: duration * 1e9,
  count: 4000,
  p50_lower_ns: 200_000,
  p50_upper_ns: 201_000,
  p99_lower_ns: 700_000,
  p99_upper_ns: 701_000,
  p999_lower_ns: null,
  p999_upper_ns: null,
  max_ns: 1_500_000,
});

describe("latency over time", () => {
  it("gives each tick the percentiles of the stretch it lies in", () => {
    const rows = latencyRows({ ...series, percentiles: [slice(2, 1), slice(0, 2)] });
    expect(rows.map((row) => row.x)).toEqual([0.5e9, 1.5e9, 2.5e9, 3.5e9]);
    expect(rows.map((row) => row["p99"] !== null)).toEqual([true, true, true, false]);
    expect(rows[0]!["max"]).toBe(1_500_000);
  });

  it("holds the limits on its axis and reads all series at one time", () => {
    const spec = latencySpec({ ...series, percentiles: [slice(0, 4)] }, span, 4e9, "log");
    expect(spec.limits).toEqual([{ y: 1_000_000, label: "1\u00a0ms · at most 5\u00a0% over" }]);
    expect(spec.x.domain).toEqual([0, 30e9]);
    expect(spec.y.ticks).toEqual([200_000, 500_000, 1_000_000, 2_000_000]);
    const row = spec.rows[0]!;
    expect(spec.series.map((one) => plain(one.read(row)))).toEqual(["1.50 ms", "700–701 µs", "200–201 µs"]);
    expect(tableOf(spec, spec.series).rows[0]).toEqual([0.5, 1_500_000, 700_000, 701_000, 200_000, 201_000]);
  });

  it("of a run without data still has axes", () => {
    const spec = latencySpec(timeline(0).series[0]!, { plannedNs: 30e9, live: false }, 0, "auto");
    expect(spec.rows).toEqual([]);
    expect(spec.y.domain[0]).toBeLessThan(spec.y.domain[1]);
  });
});

describe("rate and shares", () => {
  it("show misses only once there are any", () => {
    expect(rateSpec(series, span, 4e9, false).series.map((one) => one.key)).toEqual(["target", "completed"]);
    const missed = { ...series, ticks: { ...series.ticks, errors: [0, 3, 0, 0] } };
    const spec = rateSpec(missed, span, 4e9, false);
    expect(spec.series.map((one) => one.key)).toEqual(["target", "completed", "missed"]);
    expect(plain(spec.series[2]!.read(spec.rows[1]!))).toBe("3 ops/s");
  });

  it("have no target where none was intended", () => {
    const closed = { ...series, ticks: { ...series.ticks, target_count: [null, null, null, null] } };
    const spec = rateSpec(closed, span, 4e9, true);
    expect(spec.series.map((one) => one.key)).toEqual(["completed"]);
    expect(`${spec.title} ${spec.note}`).not.toContain("target");
    expect(spec.note).toContain("No rate was set");
    expect(rateSpec(closed, span, 4e9, false).note).not.toContain("No rate was set");
  });

  it("count misses as over", () => {
    const ticks = { ...series.ticks, count: [1998, 0, 2000, 2000], timeouts: [2, 0, 0, 0], over: [[8, 0, 5, 5]] };
    const rows = shareRows({ ...series, pin_thresholds_ns: [1_000_000], ticks });
    expect(rows.map((row) => row["over0"])).toEqual([10 / 2000, null, 5 / 2000, 5 / 2000]);
  });

  it("begin with the thresholds that have a limit", () => {
    expect(shareSpec(series, span, 4e9).series.map((one) => one.hiddenAtFirst)).toEqual([false, true, true]);
  });
});

const curve = (clock: "response" | "service"): PercentileCurve => ({
  operation: "read",
  clock,
  count: 1000,
  miss_count: 2,
  measured_ns: 4e9,
  max_ns: 9_000_000,
  points: [
    { quantile: 0.5, lower_ns: 200_000, upper_ns: 201_000 },
    { quantile: 0.9, lower_ns: 400_000, upper_ns: 401_000 },
    { quantile: 0.999, lower_ns: 9_000_000, upper_ns: null },
  ],
  printed: [],
});

describe("the percentile curve", () => {
  it("puts both clocks on one row per quantile", () => {
    const rows = percentileRows(
      (["response", "service"] as const).map((clock) => keyedCurve(clock, curve(clock).points)),
    );
    expect(rows).toHaveLength(3);
    expect(rows[1]!.x).toBeCloseTo(1);
    expect(rows[1]!["service"]).toEqual([400_000, 401_000]);
  });

  it("draws nothing among the misses, and says so when read", () => {
    const spec = percentileSpec("read", [curve("response")], [{ threshold_ns: 1_000_000, limit_ratio: 0.05 }], "log");
    const row = spec.rows[2]!;
    expect(row["response"]).toBeNull();
    expect(plain(spec.series[0]!.read(row))).toBe("≥ 9.00 ms, among the misses");
    expect(spec.limits![0]).toMatchObject({ y: 1_000_000, label: "1\u00a0ms for 95\u00a0%" });
    expect(spec.limits![0]!.toX).toBeCloseTo(1.301, 3);
  });
});

describe("the time of a transaction", () => {
  const finding = transactionVerdict().transaction!;

  it("is bounded between the points of the model by the points themselves", () => {
    expect(modelAt(finding.cdf, 200_000_000)).toMatchObject({ lower: 0.1, upper: 0.2 });
    const between = modelAt(finding.cdf, 600_000_000);
    expect(between.lower).toBe(0.1);
    expect(between.upper).toBe(0.99967);
    expect(between.estimate).toBeCloseTo((0.15 + 0.9995) / 2);
    expect(modelAt(finding.cdf, 1)).toEqual({ lower: 0, estimate: null, upper: 0.2 });
    expect(modelAt(finding.cdf, 2e9)).toEqual({ lower: 0.99934, estimate: null, upper: 1 });
    expect(modelAt([], 1)).toEqual({ lower: 0, estimate: null, upper: 1 });
  });

  it("is measured at least by the greatest quantile known to be done", () => {
    expect(measuredShareAt(curve("response").points, 100_000)).toBeNull();
    expect(measuredShareAt(curve("response").points, 201_000)).toBe(0.5);
    expect(measuredShareAt(curve("response").points, 1e12)).toBe(0.9);
  });

  it("marks the window, the objective and the room", () => {
    const spec = transactionSpec({ ...finding, reserve_ns: 300_000_000 }, null);
    expect(spec.uprights!.map((one) => plain(one.label))).toEqual(["window 1 s", "left for reads 700 ms"]);
    expect(spec.limits!.map((one) => plain(one.label))).toEqual(["objective 99.9 %"]);
    expect(spec.stretches!.map((one) => plain(one.label))).toEqual(["room as measured 612–640 ms"]);
    expect(spec.x.domain[1]).toBeGreaterThan(1e9);
    expect(plain(spec.series[0]!.read(spec.rows.at(-1)!))).toBe("99.934–99.967 %");
  });

  it("says so where the band and the room come from different models", () => {
    const mixed = { ...finding, models: { interval_mixture: { p_lower: 0.99 } } };
    expect(transactionSpec(mixed, null).note).toContain("per slice");
    expect(transactionSpec({ ...finding, models: null }, null).note).not.toContain("per slice");
  });
});
