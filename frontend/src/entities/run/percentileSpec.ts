// The percentile curve on the axis of nines, both clocks of one operation, with the limits as roofs: a curve that stays
// under a roof up to its end keeps that limit.

import { ninesLabel, ninesOf, ninesTicks, type ScaleChoice } from "@/charts/scales";
import type { ChartSpec, LimitSpec, Row, SeriesSpec } from "@/charts/spec";
import { clockName, operationName } from "@/entities/run/words";
import { edgeText } from "@/entities/verdict/answer";
import {
  formatExactLatency,
  formatExactPercent,
  formatLatency,
  formatLatencyInterval,
  formatQuantile,
} from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import { latencyAxis } from "./runAxes";

/** A curve of quantiles by one clock; `upper_ns` is null among the misses. */
export type QuantileCurve = {
  readonly clock: string;
  readonly points: readonly {
    readonly quantile: number;
    readonly lower_ns: number;
    readonly upper_ns: number | null;
  }[];
};

/** A limit of shares at a threshold; without a ratio it is a threshold alone. */
export type ShareLimit = { readonly threshold_ns: number; readonly limit_ratio: number | null };

const COLORS: Record<string, string> = { response: "--series-1", service: "--series-2" };

const quantileOf = (row: Row): number => (typeof row["quantile"] === "number" ? row["quantile"] : 0);

function curveSeries(clock: string): SeriesSpec {
  const side = (row: Row, index: 0 | 1): number | null => {
    const value = row[clock];
    return Array.isArray(value) ? (value[index] ?? null) : null;
  };
  const leastOf = (row: Row): number | null => {
    const value = row[`${clock} least`];
    return typeof value === "number" ? value : null;
  };
  return {
    key: clock,
    label: clock === "response" ? "response time (from schedule)" : clockName(clock),
    mark: "band",
    color: COLORS[clock] ?? "--series-3",
    read: (row) => {
      const lower = side(row, 0);
      const upper = side(row, 1);
      if (lower !== null && upper !== null) return formatLatencyInterval(nanoseconds(lower), nanoseconds(upper));
      const least = leastOf(row);
      return least === null ? null : `≥ ${formatLatency(nanoseconds(least), "down")}, among the misses`;
    },
    columns: [
      { header: `${clock}_lower_ns`, value: leastOf },
      { header: `${clock}_upper_ns`, value: (row) => side(row, 1) },
    ],
  };
}

/** One row per quantile that any of the curves has; a curve that ends earlier is null beyond. */
export function percentileRows(curves: readonly QuantileCurve[]): Row[] {
  const rows = new Map<number, Record<string, number | readonly [number, number] | null>>();
  for (const curve of curves) {
    for (const point of curve.points) {
      if (point.quantile >= 1) continue;
      const row = rows.get(point.quantile) ?? { x: ninesOf(point.quantile), quantile: point.quantile };
      // Among the misses a quantile has no upper end: nothing is drawn, the readout gives the lower one.
      row[curve.clock] = point.upper_ns === null ? null : [point.lower_ns, point.upper_ns];
      row[`${curve.clock} least`] = point.lower_ns;
      rows.set(point.quantile, row);
    }
  }
  return [...rows.values()].map((row): Row => ({ x: 0, ...row })).sort((a, b) => a.x - b.x);
}

const FINDINGS = [
  { quantile: 0.5, name: "half" },
  { quantile: 0.999, name: "99.9\u00a0%" },
] as const;

/** `Read: percentile curve, half within 68 µs, 99.9 % within 4.3 ms`: upper bounds, of the first curve. */
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
  const rows = percentileRows(curves);
  const values = curves.flatMap((curve) =>
    curve.points.flatMap((point) => (point.upper_ns === null ? [point.lower_ns] : [point.lower_ns, point.upper_ns])),
  );
  const most = Math.max(2, rows.at(-1)?.x ?? 2);
  const roofs = limits.flatMap((limit): LimitSpec[] =>
    limit.limit_ratio === null || limit.limit_ratio <= 0
      ? []
      : [
          {
            y: limit.threshold_ns,
            toX: ninesOf(1 - limit.limit_ratio),
            label: `${formatExactLatency(nanoseconds(limit.threshold_ns))} for ${formatExactPercent(ratio(1 - limit.limit_ratio))}`,
          },
        ],
  );
  return {
    title: titleOf(operation, curves[0]),
    note:
      roofs.length === 0
        ? "Each band lies between the bounds of its quantile."
        : "Under the thin lines, the limits are kept.",
    x: {
      label: "share of operations at most this slow",
      kind: "linear",
      domain: [0, most],
      ticks: ninesTicks(most),
      format: ninesLabel,
    },
    y: latencyAxis(
      "latency",
      values,
      roofs.map((roof) => roof.y),
      choice,
    ),
    rows,
    series: curves.map((curve) => curveSeries(curve.clock)),
    limits: roofs,
    readX: (row) => formatQuantile(quantileOf(row)),
    xColumn: { header: "quantile", value: quantileOf },
  };
}
