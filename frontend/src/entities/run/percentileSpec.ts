// Percentile curves of one operation on an axis of nines, for both clocks. Limits are horizontal lines: a curve below a
// line up to its end meets that limit.

import type { Schemas } from "@/api/types";
import { ninesLabel, ninesOf, ninesTicks, type ScaleChoice } from "@/charts/scales";
import {
  type Bounds,
  boundsAt,
  type ChartSpec,
  type LimitSpec,
  numberAt,
  type Row,
  type SeriesSpec,
} from "@/charts/spec";
import { clockName, operationName } from "@/entities/run/words";
import { edgeText } from "@/entities/verdict/answer";
import {
  formatExactLatency,
  formatExactPercent,
  formatLatency,
  formatLatencyInterval,
  formatQuantile,
} from "@/lib/format";
import { latencyAxis } from "./runAxes";

/** A quantile curve by one clock. `upper_ns` is `null` for quantiles among the misses. */
export type QuantileCurve = { readonly clock: string; readonly points: readonly Schemas["QuantilePointOut"][] };

/** Returns whether a curve has a latency to draw: a file may state how many operations there were, and nothing else. */
export const isDrawable = ({ points }: Pick<QuantileCurve, "points">): boolean =>
  points.some(({ lower_ns, upper_ns }) => lower_ns > 0 || upper_ns !== null);

/** A limit on the share over a threshold. Without a ratio, only the threshold. */
export type ShareLimit = { readonly threshold_ns: number; readonly limit_ratio: number | null };

const COLORS: Record<string, string> = { response: "--series-1", service: "--series-2" };

/** Points of a series. `upper` is `null` if the bound is unknown. */
type KeyedCurve = {
  readonly key: string;
  readonly points: readonly { readonly quantile: number; readonly lower: number; readonly upper: number | null }[];
};

/** Returns a latency curve as points of the series `key`, in nanoseconds. */
export const keyedCurve = (key: string, points: QuantileCurve["points"]): KeyedCurve => ({
  key,
  points: points.map(({ quantile, lower_ns, upper_ns }) => ({ quantile, lower: lower_ns, upper: upper_ns })),
});

const quantileOf = (row: Row): number => numberAt(row, "quantile") ?? 0;

/** Returns the chart series of a curve. `unbounded` follows a lower bound that has no upper bound. */
export function curveSeries(
  { key, ...series }: Pick<SeriesSpec, "key" | "label" | "color">,
  name: string,
  unbounded: string,
): SeriesSpec {
  const leastOf = (row: Row): number | null => numberAt(row, `${key} least`);
  return {
    key,
    ...series,
    mark: "band",
    read: (row) => {
      const bounds = boundsAt(row, key);
      if (bounds !== null) return formatLatencyInterval(bounds[0], bounds[1]);
      const least = leastOf(row);
      return least === null ? null : `≥ ${formatLatency(least, "down")}, ${unbounded}`;
    },
    columns: [
      { header: `${name}lower_ns`, value: leastOf },
      { header: `${name}upper_ns`, value: (row) => boundsAt(row, key)?.[1] ?? null },
    ],
  };
}

/** Returns a row for each quantile in any of the curves. Curves that end earlier have no value beyond their end. */
export function percentileRows(curves: readonly KeyedCurve[]): Row[] {
  const rows = new Map<number, Record<string, number | Bounds | null>>();
  for (const { key, points } of curves) {
    for (const { quantile, lower, upper } of points) {
      // Quantile 1, the largest operation, has no position on the axis of nines.
      if (quantile >= 1) continue;
      const row = rows.get(quantile) ?? { x: ninesOf(quantile), quantile };
      // A quantile without an upper bound is not drawn; the readout shows its lower bound.
      row[key] = upper === null ? null : [lower, upper];
      row[`${key} least`] = lower;
      rows.set(quantile, row);
    }
  }
  return [...rows.values()].map((row): Row => ({ x: 0, ...row })).sort((a, b) => a.x - b.x);
}

export const allBounds = (curves: readonly KeyedCurve[]): number[] =>
  curves.flatMap(({ points }) => points.flatMap(({ lower, upper }) => (upper === null ? [lower] : [lower, upper])));

/** Returns the x axis of quantile curves, which ends at the last row. */
export function quantileAxis(rows: readonly Row[]): Pick<ChartSpec, "x" | "readX" | "xColumn"> {
  const most = Math.max(2, rows.at(-1)?.x ?? 2);
  return {
    x: {
      label: "share of operations at most this slow",
      kind: "linear",
      domain: [0, most],
      ticks: ninesTicks(most),
      format: ninesLabel,
    },
    readX: (row) => formatQuantile(quantileOf(row)),
    xColumn: { header: "quantile", value: quantileOf },
  };
}

const FINDINGS = [
  { quantile: 0.5, name: "half" },
  { quantile: 0.999, name: "99.9\u00a0%" },
] as const;

/** Returns the chart's title with upper bounds of the first curve: `Read: percentile curve, half within 68 µs`. */
function titleOf(operation: string, curve: QuantileCurve | undefined): string {
  const parts = FINDINGS.flatMap(({ quantile, name }) => {
    const point = curve?.points.find((candidate) => Math.abs(candidate.quantile - quantile) < 1e-9);
    return point?.upper_ns == null ? [] : [`${name} within ${edgeText(point.upper_ns, "up")}`];
  });
  return [`${operationName(operation)}: percentile curve`, ...parts].join(", ");
}

export function percentileSpec(
  operation: string,
  curves: readonly QuantileCurve[],
  limits: readonly ShareLimit[],
  choice: ScaleChoice,
): ChartSpec {
  const keyed = curves.map(({ clock, points }) => keyedCurve(clock, points));
  const rows = percentileRows(keyed);
  const roofs = limits.flatMap((limit): LimitSpec[] =>
    limit.limit_ratio === null || limit.limit_ratio <= 0
      ? []
      : [
          {
            y: limit.threshold_ns,
            toX: ninesOf(1 - limit.limit_ratio),
            label: `${formatExactLatency(limit.threshold_ns)} for ${formatExactPercent(1 - limit.limit_ratio)}`,
          },
        ],
  );
  return {
    title: titleOf(operation, curves[0]),
    note:
      roofs.length === 0
        ? "Each band lies between the bounds of its quantile."
        : "Under the thin lines, the limits are kept.",
    ...quantileAxis(rows),
    y: latencyAxis(
      "latency",
      allBounds(keyed),
      roofs.map((roof) => roof.y),
      choice,
    ),
    rows,
    series: curves.map(({ clock }) =>
      curveSeries(
        {
          key: clock,
          label: clock === "response" ? "response time (from schedule)" : clockName(clock),
          color: COLORS[clock] ?? "--series-3",
        },
        `${clock}_`,
        "among the misses",
      ),
    ),
    limits: roofs,
  };
}
