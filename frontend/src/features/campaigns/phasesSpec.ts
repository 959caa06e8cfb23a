// Chart of the p99 of each phase of a campaign, on the campaign's time axis.
import type { Timeline } from "@/api/types";
import { bandSeries, boundsAt, type ChartSpec, type Row } from "@/charts/spec";
import { latencyAxis, runTime, type Span } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatLatencyInterval } from "@/lib/format";

export type MeasuredPhase = { name: string; startNs: number; timeline: Timeline | undefined };

/** Returns `transaction` if there are transactions, otherwise the most frequent operation; null without any. */
function operationOf(phases: readonly MeasuredPhase[]): string | null {
  const counts = new Map<string, number>();
  for (const { timeline } of phases)
    for (const { operation, ticks } of timeline?.series ?? [])
      counts.set(operation, (counts.get(operation) ?? 0) + ticks.count.reduce((sum, count) => sum + count, 0));
  if (counts.has("transaction")) return "transaction";
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

/** Returns the chart of p99 over all phases; null without measured slices. */
export function phasesSpec(phases: readonly MeasuredPhase[], span: Span, reachNs: number): ChartSpec | null {
  const operation = operationOf(phases);
  if (operation === null) return null;
  const rows = phases.flatMap(({ startNs, timeline }): Row[] => {
    const ofIt = timeline?.series.filter((candidate) => candidate.operation === operation) ?? [];
    const series = ofIt.find(({ clock }) => clock === "response") ?? ofIt[0];
    const slices = series?.percentiles ?? [];
    const endNs = Math.max(...slices.map((slice) => slice.start_ns + slice.duration_ns));
    const measured = slices.map(
      (slice): Row => ({
        x: startNs + slice.start_ns + slice.duration_ns / 2,
        p99:
          slice.p99_lower_ns === null || slice.p99_upper_ns === null ? null : [slice.p99_lower_ns, slice.p99_upper_ns],
      }),
    );
    // Null values at both ends interrupt the line between two phases.
    return slices.length === 0 ? [] : [{ x: startNs, p99: null }, ...measured, { x: startNs + endNs, p99: null }];
  });
  rows.sort((a, b) => a.x - b.x);
  const values = rows.flatMap((row) => boundsAt(row, "p99") ?? []);
  if (values.length === 0) return null;
  return {
    title: `${operationName(operation)}: p99 in every phase`,
    note: "Between its bounds, of all agents together. Upright lines are the starts of phases.",
    ...runTime(reachNs, span),
    y: latencyAxis("latency", values, [], "auto"),
    rows,
    series: [
      bandSeries(
        { key: "p99", label: "p99", stepped: true, color: "--series-1" },
        ["p99_lower_ns", "p99_upper_ns"],
        formatLatencyInterval,
      ),
    ],
    uprights: phases.map(({ name, startNs }) => ({ x: startNs, label: name })),
  };
}
