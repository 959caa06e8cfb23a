// Activity of machines during a run or campaign, per second. Polled while either is running.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get } from "./client";
import type { Schemas } from "./types";

export type Observation = Schemas["ObservationOut"];
export type Observations = Schemas["ObservationsOut"];
export type Efficiency = Schemas["EfficiencyOut"];
export type Gauges = Schemas["GaugesOut"];
export type GaugeGroup = Observation["gauges"][number]["group"];

const LIVE_MS = 5_000;

export const runObservationsQuery = (runId: string, live: boolean) =>
  queryOptions({
    queryKey: ["observations", "run", runId],
    queryFn: ({ signal }) => get("/api/v1/runs/{run_id}/observations", { path: { run_id: runId } }, signal),
    refetchInterval: live ? LIVE_MS : false,
    staleTime: LIVE_MS,
  });

export const campaignObservationsQuery = (campaignId: string, live: boolean) =>
  queryOptions({
    queryKey: ["observations", "campaign", campaignId],
    queryFn: ({ signal }) =>
      get("/api/v1/campaigns/{campaign_id}/observations", { path: { campaign_id: campaignId } }, signal),
    refetchInterval: live ? LIVE_MS : false,
    staleTime: LIVE_MS,
  });

export const gaugesQuery = (id: string, group: GaugeGroup, since: string, until: string) =>
  queryOptions({
    queryKey: ["observations", "gauges", id, group, since, until],
    queryFn: ({ signal }) =>
      get(
        "/api/v1/observations/{observation_id}",
        { path: { observation_id: id }, query: { group, since, until } },
        signal,
      ),
    staleTime: LIVE_MS,
    placeholderData: keepPreviousData,
  });
