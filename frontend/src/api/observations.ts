// Activity of machines during a run or campaign, per second. Polled while either is running.
import { keepPreviousData } from "@tanstack/react-query";
import { getQuery } from "./client";
import type { Schemas } from "./types";

export type Observation = Schemas["ObservationOut"];
export type Observations = Schemas["ObservationsOut"];
export type Efficiency = Schemas["EfficiencyOut"];
export type Gauges = Schemas["GaugesOut"];
export type GaugeGroup = Observation["gauges"][number]["group"];

const LIVE_MS = 5_000;

export const runObservationsQuery = (runId: string, live: boolean) =>
  getQuery(
    ["observations", "run", runId],
    "/api/v1/runs/{run_id}/observations",
    { path: { run_id: runId } },
    { refetchInterval: live ? LIVE_MS : false, staleTime: LIVE_MS },
  );

export const campaignObservationsQuery = (campaignId: string, live: boolean) =>
  getQuery(
    ["observations", "campaign", campaignId],
    "/api/v1/campaigns/{campaign_id}/observations",
    { path: { campaign_id: campaignId } },
    { refetchInterval: live ? LIVE_MS : false, staleTime: LIVE_MS },
  );

export const gaugesQuery = (id: string, group: GaugeGroup, since: string, until: string) =>
  getQuery(
    ["observations", "gauges", id, group, since, until],
    "/api/v1/observations/{observation_id}",
    { path: { observation_id: id }, query: { group, since, until } },
    { staleTime: LIVE_MS, placeholderData: keepPreviousData },
  );
