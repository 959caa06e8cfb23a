// Chart of latency over time: bands of median and p99, and the slowest operation of each slice as a dot.
import type { PercentileSlice, TimelineSeries } from "@/api/types";
import type { ScaleChoice } from "@/charts/scales";
import { type Bounds, bandSeries, type ChartSpec, numberSeries, type Row, type SeriesSpec } from "@/charts/spec";
import { latencyAxis, limitLabel, middles, runTime, type Span } from "@/entities/run/runAxes";
import { clockName, operationName } from "@/entities/run/words";
import { formatLatency, formatLatencyInterval } from "@/lib/format";

const ends = (lower: number | null, upper: number | null): Bounds | null =>
  lower === null || upper === null ? null : [lower, upper];

const band = (key: string, color: string): SeriesSpec =>
  bandSeries({ key, label: key, stepped: true, color }, [`${key}_lower_ns`, `${key}_upper_ns`], formatLatencyInterval);

const MAX = numberSeries(
  { key: "max", label: "max", mark: "dots", color: "--series-2" },
  "max_ns",
  (value) => formatLatency(value),
  "sliceMax",
);

const SERIES = [MAX, band("p99", "--series-1"), band("p50", "--series-3")];

/**
 * Returns a row per tick. A tick has the percentiles of its slice. The slice's maximum is drawn once, at its own tick,
 * so that no p99 exceeds a maximum.
 */
export function latencyRows(series: TimelineSeries): Row[] {
  const slices = [...series.percentiles].sort((a, b) => a.start_ns - b.start_ns);
  const times = middles(series.ticks);
  const maxOf = (tick: number): number | null => series.ticks.max_ns[tick] ?? null;
  let at = 0;
  const bySlice = times.map((x) => {
    while (x >= endOf(slices[at])) at += 1;
    const slice = slices[at];
    return slice !== undefined && x >= slice.start_ns ? slice : null;
  });
  const slowest = new Map<PercentileSlice, number>();
  for (const [tick, slice] of bySlice.entries()) {
    const max = maxOf(tick);
    if (slice === null || max === null) continue;
    const before = slowest.get(slice);
    if (before === undefined || max > (maxOf(before) ?? 0)) slowest.set(slice, tick);
  }
  return times.map((x, tick) => {
    const slice = bySlice[tick] ?? null;
    if (slice === null) return { x, p50: null, p99: null, max: maxOf(tick), sliceMax: maxOf(tick) };
    const place = slowest.get(slice);
    const sliceMax = place === undefined ? null : maxOf(place);
    return {
      x,
      p50: atMost(ends(slice.p50_lower_ns, slice.p50_upper_ns), sliceMax),
      p99: atMost(ends(slice.p99_lower_ns, slice.p99_upper_ns), sliceMax),
      max: place === tick ? sliceMax : null,
      sliceMax,
    };
  });
}

const endOf = (slice: PercentileSlice | undefined): number =>
  slice === undefined ? Number.POSITIVE_INFINITY : slice.start_ns + slice.duration_ns;

/** Limits a band to the exact maximum, because the upper bound of a bucket may exceed it. */
function atMost(band: Bounds | null, max: number | null): Bounds | null {
  return band === null || max === null || band[1] <= max || band[0] > max ? band : [band[0], max];
}

export function latencySpec(series: TimelineSeries, span: Span, reachNs: number, choice: ScaleChoice): ChartSpec {
  const rows = latencyRows(series);
  const values = rows.flatMap((row) => [row["p50"], row["p99"], row["max"]].flatMap((value) => value ?? []));
  return {
    title: `${operationName(series.operation)}: ${clockName(series.clock)} over time`,
    note: "Median and p99 as bands between their bounds, the slowest operation of each slice as a dot.",
    ...runTime(reachNs, span),
    y: latencyAxis(
      clockName(series.clock),
      values,
      series.limits.map((limit) => limit.threshold_ns),
      choice,
    ),
    rows,
    series: SERIES,
    limits: series.limits.map((limit) => ({ y: limit.threshold_ns, label: limitLabel(limit) })),
  };
}
