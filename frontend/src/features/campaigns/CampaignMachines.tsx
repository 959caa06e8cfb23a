// Latency of every phase above the machine figures of the same time, on one axis.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Campaign } from "@/api/campaigns";
import { campaignObservationsQuery, runObservationsQuery } from "@/api/observations";
import { timelineQuery } from "@/api/queries";
import type { Timeline } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { SharedCursor } from "@/charts/cursor";
import { bandSeries, boundsAt, type ChartSpec, type Row } from "@/charts/spec";
import { EfficiencyTable, MachineObservations } from "@/entities/observation/MachineObservations";
import { latencyAxis, runTime, type Span } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatLatencyInterval } from "@/lib/format";

export function CampaignMachines({ campaign }: { campaign: Campaign }) {
  const live = campaign.state !== "ended";
  const campaignObservations = useQuery(campaignObservationsQuery(campaign.campaign_id, live)).data;
  const phases = campaign.phases.filter(({ run_id, start_at }) => run_id !== null && start_at !== null);
  const timelines = useQueries({
    queries: phases.map(({ run_id }) => timelineQuery(run_id ?? "")),
    combine: (all) => all.map(({ data }) => data),
  });
  const hasWatts =
    campaignObservations?.observations.some(({ gauges }) => gauges.some(({ group }) => group === "power")) === true;
  const efficiency = useQueries({
    queries: hasWatts ? phases.map(({ run_id }) => runObservationsQuery(run_id ?? "", false)) : [],
    combine: (all) => all.map(({ data }) => data?.efficiency ?? []),
  });
  const begun = Date.parse(campaign.created_at);
  const until = campaign.ended_at ?? new Date(Math.ceil(Date.now() / 5_000) * 5_000).toISOString();
  const reachNs = (Date.parse(until) - begun) * 1e6;
  const span = useMemo(() => ({ plannedNs: reachNs, live: false }), [reachNs]);
  const measured = phases.map(({ name, start_at }, index) => ({
    name,
    startNs: (Date.parse(start_at ?? "") - begun) * 1e6,
    timeline: timelines[index] as Timeline | undefined,
  }));
  const latency = phasesSpec(measured, span, reachNs);
  if (campaignObservations === undefined || campaignObservations.observations.length === 0) return null;
  return (
    <SharedCursor>
      {latency === null ? null : <ChartFigure spec={latency} height={200} />}
      {phases.map(({ number, name }, index) =>
        (efficiency[index]?.length ?? 0) === 0 ? null : (
          <section key={number}>
            <h3>Operations per joule: {name}</h3>
            <EfficiencyTable rows={efficiency[index] ?? []} of={` in ${name}`} />
          </section>
        ),
      )}
      <MachineObservations
        observations={campaignObservations}
        axis={{ since: campaign.created_at, until, span, reachNs, byOneClock: true }}
      />
    </SharedCursor>
  );
}

type MeasuredPhase = { name: string; startNs: number; timeline: Timeline | undefined };

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
