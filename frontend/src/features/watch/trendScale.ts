// Positions of a trend's figures in its chart, and rows of its table.
import type { Trend } from "@/api/watches";
import { formatLatencyInterval, formatRate } from "@/lib/format";

type Point = Trend["points"][number];

/** Quantities of a trend with their labels. */
export const QUANTITIES: Readonly<Record<string, string>> = {
  latency_p50_ns: "p50",
  latency_p99_ns: "p99",
  "latency_p99.9_ns": "p99.9",
  latency_mean_ns: "mean",
  throughput_ops_per_s: "throughput",
};

export type Bar = { point: Point; lower: number; upper: number };

/** Returns the interval of a quantity in each run with it: confidence limits if known, otherwise measured bounds. */
export function barsOf(points: readonly Point[], quantity: string): Bar[] {
  return points.flatMap((point) => {
    const figure = point.figures.find((candidate) => candidate.quantity === quantity);
    if (figure === undefined || figure.upper === null) return [];
    return [{ point, lower: figure.lower_limit ?? figure.lower, upper: figure.upper_limit ?? figure.upper }];
  });
}

/** Returns the range of all intervals with a margin, so that its height is never zero. */
export function rangeOf(bars: readonly Bar[]): readonly [number, number] {
  const low = Math.min(...bars.map((bar) => bar.lower));
  const high = Math.max(...bars.map((bar) => bar.upper));
  const margin = Math.max((high - low) * 0.1, high * 0.01, Number.MIN_VALUE);
  return [Math.max(0, low - margin), high + margin];
}

export function boundsText(quantity: string, lower: number, upper: number): string {
  if (quantity !== "throughput_ops_per_s") return formatLatencyInterval(lower, upper);
  const ends = [formatRate(lower), formatRate(upper)];
  return ends[0] === ends[1] ? `${ends[0]}` : `${ends[0]} to ${ends[1]}`;
}

/** Returns the facts that differ from the previous run, one line each. */
export function changesOf({ facts_changed, facts_changed_count }: Point): string[] {
  const lines = facts_changed.map(
    ({ name, before, after }) => `${name}: ${before || "not stated"} → ${after || "not stated"}`,
  );
  const more = facts_changed_count - facts_changed.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
