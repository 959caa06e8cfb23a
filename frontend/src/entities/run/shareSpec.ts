// Share of operations over each limit, per tick. Misses count as over, as in verdicts.

import type { TimelineSeries } from "@/api/types";
import { logDomain, logTicks } from "@/charts/scales";
import { type ChartSpec, numberAt, numberSeries, type Row } from "@/charts/spec";
import { clockName, operationName } from "@/entities/run/words";
import { formatExactLatency, formatExactPercent, formatPercent } from "@/lib/format";
import { middles, runTime, type Span } from "./runAxes";

/** A series over time: its tick columns, and a column of counts over each pin threshold. */
type SharesOverTime = Omit<TimelineSeries, "percentiles">;

const COLORS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"] as const;

/** Returns the shares by pin threshold; `null` if no operation was attempted. */
export function shareRows(series: SharesOverTime): Row[] {
  const { ticks } = series;
  return middles(ticks).map((x, index) => {
    const misses = (ticks.errors[index] ?? 0) + (ticks.timeouts[index] ?? 0);
    const total = (ticks.count[index] ?? 0) + misses;
    const shares = ticks.over.map((column, pin): [string, number | null] => [
      `over${pin}`,
      total === 0 ? null : ((column[index] ?? 0) + misses) / total,
    ]);
    return { x, ...Object.fromEntries(shares) };
  });
}

export function shareSpec(series: SharesOverTime, span: Span, reachNs: number): ChartSpec {
  const exact = shareRows(series);
  const limits = series.limits.filter((limit) => limit.limit_ratio !== null && limit.limit_ratio > 0);
  const isLimit = (threshold: number): boolean => limits.some((limit) => limit.threshold_ns === threshold);
  const isLimited = series.pin_thresholds_ns.some(isLimit);
  const lines = series.pin_thresholds_ns.map((threshold, pin) =>
    numberSeries(
      {
        key: `over${pin}`,
        label: `over ${formatExactLatency(threshold)}`,
        mark: "dots",
        // If there are limits, the other thresholds are hidden at first. If no threshold equals a limit, all are shown:
        // buckets of another unit have no edge there (1.024 ms for 1 ms).
        hiddenAtFirst: isLimited && !isLimit(threshold),
        color: COLORS[pin % COLORS.length] ?? COLORS[0],
      },
      `share_over_${threshold}_ns`,
      (share) => formatPercent(share),
    ),
  );
  const shares = exact.flatMap((row) => lines.flatMap(({ key }) => numberAt(row, key) ?? []));
  const domain = logDomain([...shares, ...limits.map((limit) => limit.limit_ratio ?? 0)]) ?? [0.001, 0.1];
  return {
    title: `${operationName(series.operation)}: share over each limit`,
    note: `By ${clockName(series.clock)}, misses counted as over. Where no operation was over, nothing is drawn.`,
    ...runTime(reachNs, span),
    y: {
      label: "share of operations",
      kind: "log",
      domain,
      ticks: logTicks(domain),
      format: (value) => formatExactPercent(value),
    },
    rows: exact,
    series: lines,
    limits: limits.map((limit) => ({
      y: limit.limit_ratio ?? 0,
      label: `limit ${formatExactPercent(limit.limit_ratio ?? 0)} over ${formatExactLatency(limit.threshold_ns)}`,
    })),
  };
}
