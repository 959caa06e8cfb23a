// Latency over time: bands of the median and of p99 from the histograms, the slowest operation of each tick as dots.
import type { PercentileSlice, TimelineSeries } from "@/api/types";
import {
  latencyAxis,
  limitLabel,
  middles,
  readLatency,
  readTime,
  type Span,
  timeAxis,
  timeColumn,
} from "@/charts/runAxes";
import type { ScaleChoice } from "@/charts/scales";
import type { ChartSpec, Row, SeriesSpec } from "@/charts/spec";
import { formatLatencyInterval } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { clockName, operationName } from "@/lib/words";

type Ends = readonly [number, number];

const ends = (lower: number | null, upper: number | null): Ends | null =>
  lower === null || upper === null ? null : [lower, upper];

const isEnds = (value: Row[string] | undefined): value is Ends => Array.isArray(value);

function band(key: string, label: string, color: string): SeriesSpec {
  const side = (row: Row, index: 0 | 1): number | null => {
    const value = row[key];
    return isEnds(value) ? value[index] : null;
  };
  return {
    key,
    label,
    mark: "band",
    stepped: true,
    color,
    read: (row) => {
      const value = row[key];
      return isEnds(value) ? formatLatencyInterval(nanoseconds(value[0]), nanoseconds(value[1])) : null;
    },
    columns: [
      { header: `${key}_lower_ns`, value: (row) => side(row, 0) },
      { header: `${key}_upper_ns`, value: (row) => side(row, 1) },
    ],
  };
}

const MAX: SeriesSpec = {
  key: "max",
  label: "max",
  mark: "dots",
  color: "--series-2",
  read: (row) => readLatency(row["max"]),
  columns: [{ header: "max_ns", value: (row) => (typeof row["max"] === "number" ? row["max"] : null) }],
};

const SERIES = [MAX, band("p99", "p99", "--series-1"), band("p50", "p50", "--series-3")];

/** Rows at the ticks; the percentiles of a slice hold for every tick whose middle lies inside it. */
export function latencyRows(series: TimelineSeries): Row[] {
  const slices = [...series.percentiles].sort((a, b) => a.start_ns - b.start_ns);
  let at = 0;
  const sliceOf = (x: number): PercentileSlice | null => {
    while (at < slices.length) {
      const slice = slices[at];
      if (slice === undefined || x < slice.start_ns) return null;
      if (x < slice.start_ns + slice.duration_ns) return slice;
      at += 1;
    }
    return null;
  };
  return middles(series.ticks).map((x, index) => {
    const slice = sliceOf(x);
    return {
      x,
      p50: slice === null ? null : ends(slice.p50_lower_ns, slice.p50_upper_ns),
      p99: slice === null ? null : ends(slice.p99_lower_ns, slice.p99_upper_ns),
      max: series.ticks.max_ns[index] ?? null,
    };
  });
}

export function latencySpec(series: TimelineSeries, span: Span, reachNs: number, choice: ScaleChoice): ChartSpec {
  const rows = latencyRows(series);
  const values = rows.flatMap((row) =>
    [row["p50"], row["p99"], row["max"]].flatMap((value) =>
      typeof value === "number" ? [value] : isEnds(value) ? value : [],
    ),
  );
  return {
    title: `${operationName(series.operation)}: ${clockName(series.clock)} over time`,
    note: "Median and p99 as bands between their bounds, the slowest operation as dots.",
    x: timeAxis(reachNs, span),
    y: latencyAxis(
      clockName(series.clock),
      values,
      series.limits.map((limit) => limit.threshold_ns),
      choice,
    ),
    rows,
    series: SERIES,
    limits: series.limits.map((limit) => ({ y: limit.threshold_ns, label: limitLabel(limit) })),
    readX: readTime,
    xColumn: timeColumn,
  };
}
