// The percentile curves of all subjects on one axis of nines, and under them the ratio of quantiles to the base.
import type { ComparedSubject, Comparison, Pair } from "@/api/comparisons";
import { ninesLabel, ninesOf, ninesTicks, type ScaleChoice } from "@/charts/scales";
import type { AxisSpec, ChartSpec, Row, SeriesSpec } from "@/charts/spec";
import { latencyAxis } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatLatency, formatLatencyInterval, formatQuantile } from "@/lib/format";
import { nanoseconds } from "@/lib/units";

/** The base is grey in every picture. */
const COLORS = ["--series-3", "--series-1", "--series-2", "--series-5", "--series-6", "--series-4"] as const;
export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? COLORS[0];

const keyOf = (index: number): string => `subject${index}`;
const quantileOf = (row: Row): number => (typeof row["quantile"] === "number" ? row["quantile"] : 0);

function endsOf(row: Row, key: string): readonly [number, number] | null {
  const value = row[key];
  return value !== null && value !== undefined && typeof value !== "number" ? value : null;
}

type Placed = { quantile: number; key: string; value: readonly [number, number] | null; least?: number };

/** One row for each quantile, ascending; the last quantile of all has no place on the axis. */
function rowsOf(placed: readonly Placed[]): Row[] {
  const rows = new Map<number, Record<string, number | readonly [number, number] | null>>();
  for (const point of placed) {
    if (point.quantile >= 1) continue;
    const row = rows.get(point.quantile) ?? { x: ninesOf(point.quantile), quantile: point.quantile };
    row[point.key] = point.value;
    if (point.least !== undefined) row[`${point.key} least`] = point.least;
    rows.set(point.quantile, row);
  }
  return [...rows.values()].map((row): Row => ({ x: 0, ...row })).sort((a, b) => a.x - b.x);
}

function ninesAxis(rows: readonly Row[]): AxisSpec {
  const most = Math.max(2, rows.at(-1)?.x ?? 2);
  return {
    label: "share of operations at most this slow",
    kind: "linear",
    domain: [0, most],
    ticks: ninesTicks(most),
    format: ninesLabel,
  };
}

function curveOf(subject: ComparedSubject, index: number): SeriesSpec {
  const key = keyOf(index);
  const least = (row: Row): number | null => {
    const value = row[`${key} least`];
    return typeof value === "number" ? value : null;
  };
  return {
    key,
    label: index === 0 ? `${subject.label} (base)` : subject.label,
    mark: "band",
    color: colorOf(index),
    read: (row) => {
      const ends = endsOf(row, key);
      if (ends !== null) return formatLatencyInterval(nanoseconds(ends[0]), nanoseconds(ends[1]));
      const from = least(row);
      return from === null ? null : `≥ ${formatLatency(nanoseconds(from), "down")}, no upper bound`;
    },
    columns: [
      { header: `${subject.label} lower_ns`, value: least },
      { header: `${subject.label} upper_ns`, value: (row) => endsOf(row, key)?.[1] ?? null },
    ],
  };
}

export function curveSpec(comparison: Comparison, choice: ScaleChoice): ChartSpec {
  const placed = comparison.subjects.flatMap((subject, index) =>
    subject.curve.map(
      (point): Placed => ({
        quantile: point.quantile,
        key: keyOf(index),
        value: point.upper_ns === null ? null : [point.lower_ns, point.upper_ns],
        least: point.lower_ns,
      }),
    ),
  );
  const rows = rowsOf(placed);
  const values = placed.flatMap((point) => (point.value === null ? [point.least ?? 0] : [...point.value]));
  return {
    title: `${operationName(comparison.operation)}: percentile curves on one axis`,
    note: "Each band lies between the bounds of its quantile. Where a curve ends, nothing is known.",
    x: ninesAxis(rows),
    y: latencyAxis("latency", values, [], choice),
    rows,
    series: comparison.subjects.map(curveOf),
    readX: (row) => formatQuantile(quantileOf(row)),
    xColumn: { header: "quantile", value: quantileOf },
  };
}

const timesText = (value: number): string => `${value.toPrecision(3)}\u00a0×`;

function ratioOf(comparison: Comparison, pair: Pair): SeriesSpec {
  const key = keyOf(pair.new);
  const label = comparison.subjects[pair.new]?.label ?? "";
  return {
    key,
    label,
    mark: "band",
    color: colorOf(pair.new),
    read: (row) => {
      const ends = endsOf(row, key);
      return ends === null ? null : `${timesText(ends[0])} to ${timesText(ends[1])}`;
    },
    columns: [
      { header: `${label} ratio_lower`, value: (row) => endsOf(row, key)?.[0] ?? null },
      { header: `${label} ratio_upper`, value: (row) => endsOf(row, key)?.[1] ?? null },
    ],
  };
}

/** None where no quantile has two ends on both sides. */
export function ratioSpec(comparison: Comparison): ChartSpec | null {
  const rows = rowsOf(
    comparison.pairs.flatMap((pair) =>
      pair.quantile_ratios.flatMap((point): Placed[] =>
        point.lower === null || point.upper === null
          ? []
          : [{ quantile: point.quantile, key: keyOf(pair.new), value: [point.lower, point.upper] }],
      ),
    ),
  );
  if (rows.length === 0) return null;
  const most = Math.max(
    ...rows.flatMap((row) => comparison.pairs.map((pair) => endsOf(row, keyOf(pair.new))?.[1] ?? 1)),
  );
  const top = Math.max(1.5, Math.min(most, 10));
  const step = top > 4 ? 2 : 0.5;
  const ticks = Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
  return {
    title: "Ratio of quantiles, new ÷ base",
    note: "By the buckets alone; the table above adds chance. Under 1 is faster than the base.",
    x: ninesAxis(rows),
    y: {
      label: "new ÷ base",
      kind: "linear",
      domain: [0, ticks.at(-1) ?? top],
      ticks,
      format: (value) => `${value}\u00a0×`,
    },
    rows,
    series: comparison.pairs.map((pair) => ratioOf(comparison, pair)),
    limits: [{ y: 1, label: "equal" }],
    readX: (row) => formatQuantile(quantileOf(row)),
    xColumn: { header: "quantile", value: quantileOf },
  };
}
