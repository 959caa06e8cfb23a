// Shared parts of a run's charts: time axis, latency axis, and labels of limits.

import {
  chooseScale,
  type Domain,
  linearTicks,
  logDomain,
  logTicks,
  type ScaleChoice,
  timeTicks,
} from "@/charts/scales";
import type { AxisSpec, ChartSpec } from "@/charts/spec";
import { formatExactLatency, formatExactPercent, formatSpan } from "@/lib/format";

/** Planned length of a run, and whether it is running. */
export type Span = { plannedNs: number; live: boolean };

/** Returns the time axis with its readout and column. */
export const runTime = (reachNs: number, span: Span): Pick<ChartSpec, "x" | "readX" | "xColumn"> => ({
  x: timeAxis(reachNs, span),
  readX: (row) => `at ${formatSpan(row.x)}`,
  xColumn: timeColumn,
});

/** Returns the time axis. For live runs it includes the planned time, unless most of it would be empty. */
export function timeAxis(reachNs: number, { plannedNs, live }: Span): AxisSpec {
  const keep = live && (plannedNs <= 120e9 || reachNs > plannedNs / 4);
  const domain: Domain = [0, Math.max(reachNs, keep ? plannedNs : 0, 1e9)];
  return {
    label: "time since the start",
    kind: "linear",
    domain,
    ticks: timeTicks(domain),
    format: (value) => (value === 0 ? "0" : formatSpan(value)),
  };
}

/** Returns a latency axis that includes the values, and on a log scale the limits too. */
export function latencyAxis(
  label: string,
  values: readonly number[],
  limitsNs: readonly number[],
  choice: ScaleChoice,
): AxisSpec {
  const kind = chooseScale(choice, [...values, ...limitsNs]);
  const format = (value: number) => (value === 0 ? "0" : formatExactLatency(value));
  if (kind === "log") {
    const domain = logDomain([...values, ...limitsNs]) ?? [1e5, 1e7];
    return { label, kind, domain, ticks: logTicks(domain), format };
  }
  const ticks = linearTicks(Math.max(0, ...values) || 1e6);
  return { label, kind, domain: [0, ticks.at(-1) ?? 1e6], ticks, format };
}

/** Returns the label of a limit line: `1 ms · at most 5 % over`. */
export function limitLabel(limit: { threshold_ns: number; limit_ratio: number | null }): string {
  const threshold = formatExactLatency(limit.threshold_ns);
  return limit.limit_ratio === null
    ? threshold
    : `${threshold} · at most ${formatExactPercent(limit.limit_ratio)} over`;
}

export const timeColumn = { header: "time_since_start_s", value: (row: { x: number }) => row.x / 1e9 } as const;

/** Returns the middle of each interval, where its values are drawn. */
export const middles = (ticks: { start_ns: readonly number[]; duration_ns: readonly number[] }): number[] =>
  ticks.start_ns.map((start, index) => start + (ticks.duration_ns[index] ?? 0) / 2);
