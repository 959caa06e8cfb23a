// Percentile curves of all subjects on one axis, and the ratio of their quantiles to the base.
import type { ComparedSubject, Comparison, Pair } from "@/api/comparisons";
import type { ScaleChoice } from "@/charts/scales";
import { bandSeries, boundsAt, type ChartSpec, type Row, type SeriesSpec } from "@/charts/spec";
import { allBounds, curveSeries, keyedCurve, percentileRows, quantileAxis } from "@/entities/run/percentileSpec";
import { latencyAxis } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";

/** Colours of the subjects; the base is grey in all charts. */
const COLORS = ["--series-3", "--series-1", "--series-2", "--series-5", "--series-6", "--series-4"] as const;
export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? COLORS[0];

const keyOf = (index: number): string => `subject${index}`;

/** Returns the rows up to the last in which a curve has both bounds. */
function drawnRows(rows: readonly Row[], curves: readonly { key: string }[]): readonly Row[] {
  const last = rows.findLastIndex((row) => curves.some(({ key }) => boundsAt(row, key) !== null));
  return last < 0 ? rows : rows.slice(0, last + 1);
}

export function curveSpec(
  { operation, subjects }: { operation: string; subjects: readonly Pick<ComparedSubject, "label" | "curve">[] },
  choice: ScaleChoice,
): ChartSpec {
  const curves = subjects.map(({ curve }, index) => keyedCurve(keyOf(index), curve));
  const rows = drawnRows(percentileRows(curves), curves);
  return {
    title: `${operationName(operation)}: percentile curves on one axis`,
    note: "Each band lies between the bounds of its quantile. Where a curve ends, nothing is known.",
    ...quantileAxis(rows),
    y: latencyAxis("latency", allBounds(curves), [], choice),
    rows,
    series: subjects.map(({ label }, index) =>
      curveSeries(
        { key: keyOf(index), label: index === 0 ? `${label} (base)` : label, color: colorOf(index) },
        `${label} `,
        "no upper bound",
      ),
    ),
  };
}

const timesText = (value: number): string => `${value.toPrecision(3)}\u00a0×`;

function ratioOf(comparison: Comparison, pair: Pair): SeriesSpec {
  const label = comparison.subjects[pair.new]?.label ?? "";
  return bandSeries(
    { key: keyOf(pair.new), label, color: colorOf(pair.new) },
    [`${label} ratio_lower`, `${label} ratio_upper`],
    (lower, upper) => `${timesText(lower)} to ${timesText(upper)}`,
  );
}

/** Returns the chart of quantile ratios to the base; null without ratios that have both bounds. */
export function ratioSpec(comparison: Comparison): ChartSpec | null {
  const rows = percentileRows(
    comparison.pairs.map((pair) => ({
      key: keyOf(pair.new),
      points: pair.quantile_ratios.flatMap(({ quantile, lower, upper }) =>
        lower === null || upper === null ? [] : [{ quantile, lower, upper }],
      ),
    })),
  );
  if (rows.length === 0) return null;
  const most = Math.max(
    ...rows.flatMap((row) => comparison.pairs.map((pair) => boundsAt(row, keyOf(pair.new))?.[1] ?? 1)),
  );
  const top = Math.max(1.5, Math.min(most, 10));
  const step = top > 4 ? 2 : 0.5;
  const ticks = Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
  return {
    title: "Ratio of quantiles, new ÷ base",
    note: "By the buckets alone; the table above adds chance. Under 1 is faster than the base.",
    ...quantileAxis(rows),
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
  };
}
