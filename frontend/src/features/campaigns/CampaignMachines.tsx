// Latency of every phase above the machine figures of the same time, on one axis.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Campaign } from "@/api/campaigns";
import { campaignObservationsQuery, runObservationsQuery } from "@/api/observations";
import { timelineQuery } from "@/api/queries";
import type { Timeline } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { SharedCursor } from "@/charts/cursor";
import { EfficiencyTable, MachineObservations } from "@/entities/observation/MachineObservations";
import { phasesSpec } from "./phasesSpec";

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
