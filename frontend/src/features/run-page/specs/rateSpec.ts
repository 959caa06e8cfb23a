// Chart of operations per second with the intended rate; failed operations appear once there are any.
import type { TimelineSeries } from "@/api/types";
import { linearTicks } from "@/charts/scales";
import type { ChartSpec, Row, SeriesSpec } from "@/charts/spec";
import { middles, readTime, type Span, timeAxis, timeColumn } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatCount, formatRate, rateOf } from "@/lib/format";

function rate(key: string, label: string, color: string, more: Partial<SeriesSpec> = {}): SeriesSpec {
  const value = (row: Row): number | null => (typeof row[key] === "number" ? row[key] : null);
  return {
    key,
    label,
    mark: "line",
    stepped: true,
    color,
    read: (row) => {
      const rate = value(row);
      return rate === null ? null : formatRate(rate);
    },
    columns: [{ header: `${key}_per_s`, value }],
    ...more,
  };
}

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
  const yTicks = linearTicks(greatest);
  return {
    title: `${operationName(series.operation)}: ${intended ? "rate against target" : "rate"}`,
    note: intended
      ? "The schedule is open loop: a rate below the target means operations did not complete in time."
      : closed
        ? "No rate was set: the next operation begins when an answer has come."
        : "What was intended in each slice is not on record.",
    x: timeAxis(reachNs, span),
    y: {
      label: "operations per second",
      kind: "linear",
      domain: [0, yTicks.at(-1) ?? 1],
      ticks: yTicks,
      format: (value) => formatCount(value),
    },
    rows,
    series: [
      ...(intended ? [rate("target", "target", "--series-3", { dashed: true })] : []),
      rate("completed", "completed", "--series-1"),
      ...(missed ? [rate("missed", "errors and timeouts", "--series-2")] : []),
    ],
    readX: readTime,
    xColumn: timeColumn,
  };
}
