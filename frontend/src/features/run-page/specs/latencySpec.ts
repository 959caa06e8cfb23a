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
  const bySlice = times.map(sliceOf);
  const slowest = new Map<PercentileSlice, number>();
  for (const [index, slice] of bySlice.entries()) {
    const max = series.ticks.max_ns[index] ?? null;
    const before = slice === null ? undefined : slowest.get(slice);
    if (slice === null || max === null) continue;
    if (before === undefined || max > (series.ticks.max_ns[before] ?? 0)) slowest.set(slice, index);
  }
  return times.map((x, index) => {
    const slice = bySlice[index] ?? null;
    const own = series.ticks.max_ns[index] ?? null;
    if (slice === null) return { x, p50: null, p99: null, max: own, sliceMax: own };
    const place = slowest.get(slice);
    const sliceMax = place === undefined ? null : (series.ticks.max_ns[place] ?? null);
    return {
      x,
      p50: atMost(ends(slice.p50_lower_ns, slice.p50_upper_ns), sliceMax),
      p99: atMost(ends(slice.p99_lower_ns, slice.p99_upper_ns), sliceMax),
      max: place === index ? own : null,
      sliceMax,
    };
  });
}

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
