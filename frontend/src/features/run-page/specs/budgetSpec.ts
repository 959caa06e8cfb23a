// Chart of the consumed error budgets over time, one line per threshold; 100 % is all of a budget.
import type { OperationCourse } from "@/api/types";
import { linearTicks } from "@/charts/scales";
import { type ChartSpec, numberSeries, type Row } from "@/charts/spec";
import { runTime, type Span } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatExactLatency, formatPercent } from "@/lib/format";

const COLORS = ["--series-1", "--series-2", "--series-5", "--series-6"] as const;

/** Consumed share at which lines are cut off. */
const MOST = 2;

/** Returns the chart; null with fewer than two points per threshold. */
export function budgetSpec(course: OperationCourse, span: Span): ChartSpec | null {
  const thresholds = course.thresholds.filter((threshold) => threshold.burn.end_ns.length > 1);
  if (thresholds.length === 0) return null;
  const rows = new Map<number, Record<string, number>>();
  for (const { burn, threshold_ns } of thresholds) {
    for (const [index, end] of burn.end_ns.entries()) {
      const row = rows.get(end) ?? { x: end };
      const consumed = burn.consumed_ratio[index] ?? 0;
      row[`${threshold_ns}`] = Math.min(MOST, consumed);
      row[`exact ${threshold_ns}`] = consumed;
      rows.set(end, row);
    }
  }
  const sorted = [...rows.values()].map((row): Row => ({ x: 0, ...row })).sort((a, b) => a.x - b.x);
  const most = Math.max(...thresholds.map((threshold) => Math.min(MOST, threshold.burn.consumed_ratio.at(-1) ?? 0)));
  const ticks = linearTicks(Math.max(1, most));
  return {
    title: `${operationName(course.operation)}: error budget used over time`,
    note: "The budget of a limit is the number of operations that it allows over its threshold in this run.",
    ...runTime(sorted.at(-1)?.x ?? 0, span),
    y: {
      label: "part of the budget",
      kind: "linear",
      domain: [0, Math.max(1.1, ticks.at(-1) ?? 1)],
      ticks,
      format: (value) => `${Math.round(value * 100)}\u00a0%`,
    },
    rows: sorted,
    series: thresholds.map(({ threshold_ns }, index) =>
      numberSeries(
        {
          key: `${threshold_ns}`,
          label: `over ${formatExactLatency(threshold_ns)}`,
          mark: "line",
          color: COLORS[index % COLORS.length] ?? COLORS[0],
        },
        `consumed_ratio_${threshold_ns}ns`,
        (share) => formatPercent(share),
        `exact ${threshold_ns}`,
      ),
    ),
    limits: [{ y: 1, label: "all of the budget" }],
  };
}
