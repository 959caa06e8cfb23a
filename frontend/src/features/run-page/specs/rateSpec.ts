// Chart of operations per second with the intended rate; failed operations appear once there are any.
import type { TimelineSeries } from "@/api/types";
import { axisFromZero, type ChartSpec, numberSeries, type Row, type SeriesSpec } from "@/charts/spec";
import { middles, runTime, type Span } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatCount, formatRate, rateOf } from "@/lib/format";

const rate = (key: string, label: string, color: string, dashed = false): SeriesSpec =>
  numberSeries({ key, label, mark: "line", stepped: true, color, dashed }, `${key}_per_s`, formatRate);

/** Returns the chart; `closed`: closed loop, in which the next operation waits for the response. */
export function rateSpec(series: TimelineSeries, span: Span, reachNs: number, closed: boolean): ChartSpec {
  const { ticks } = series;
  let missed = false;
  const intended = ticks.target_count.length === 0 || ticks.target_count.some((count) => count !== null);
  const rows = middles(ticks).map((x, index): Row => {
    const duration = ticks.duration_ns[index] ?? 0;
    const misses = (ticks.errors[index] ?? 0) + (ticks.timeouts[index] ?? 0);
    const target = ticks.target_count[index] ?? null;
    missed ||= misses > 0;
    return {
      x,
      completed: rateOf(ticks.count[index] ?? 0, duration),
      target: target === null ? null : rateOf(target, duration),
      missed: rateOf(misses, duration),
    };
  });
  const greatest = Math.max(
    0,
    ...rows.flatMap((row) => [row["completed"], row["target"]].filter((value) => typeof value === "number")),
  );
  return {
    title: `${operationName(series.operation)}: ${intended ? "rate against target" : "rate"}`,
    note: intended
      ? "The schedule is open loop: a rate below the target means operations did not complete in time."
      : closed
        ? "No rate was set: the next operation begins when an answer has come."
        : "What was intended in each slice is not on record.",
    ...runTime(reachNs, span),
    y: axisFromZero("operations per second", greatest, (value) => formatCount(value)),
    rows,
    series: [
      ...(intended ? [rate("target", "target", "--series-3", true)] : []),
      rate("completed", "completed", "--series-1"),
      ...(missed ? [rate("missed", "errors and timeouts", "--series-2")] : []),
    ],
  };
}
