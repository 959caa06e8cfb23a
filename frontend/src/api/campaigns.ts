// Requests for agents and their campaigns. Both change on the server, so they are polled.
import type { QueryClient } from "@tanstack/react-query";
import { addressOf, client, getQuery, inPath, replaceAnswer, storeAnswer, unwrap } from "./client";
import type { Schemas } from "./types";

export type Campaign = Schemas["CampaignOut"];
export type CampaignPhase = Schemas["CampaignPhaseOut"];
export type CampaignAgent = Schemas["CampaignAgentOut"];
export type CampaignPlan = Schemas["CampaignIn"];
export type ServingAgent = Schemas["ServingAgentOut"];

const keys = { agents: ["agents"], list: ["campaigns"], one: (id: string) => ["campaigns", id] } as const;
const ACTIVE_POLL_MS = 1_000;
const IDLE_POLL_MS = 5_000;

export const agentsQuery = () => getQuery(keys.agents, "/api/v1/agents", {}, { refetchInterval: IDLE_POLL_MS });

export const campaignsQuery = () => getQuery(keys.list, "/api/v1/campaigns", {}, { refetchInterval: IDLE_POLL_MS });

/** Returns a campaign: polled each second while it runs, then every 5 s until every ended phase has its run. */
export const campaignQuery = (id: string) =>
  getQuery(
    keys.one(id),
    "/api/v1/campaigns/{campaign_id}",
    { path: { campaign_id: id } },
    {
      refetchInterval: ({ state: { data } }) => {
        const waits = data?.phases.some(({ state, run_id }) => state === "ended" && run_id === null) ?? true;
        return data?.state !== "ended" ? ACTIVE_POLL_MS : waits ? IDLE_POLL_MS : false;
      },
    },
  );

export const makeCode = () => unwrap(client.POST("/api/v1/agent/codes"));

export const removeAgent = (queries: QueryClient, agent_id: string) =>
  storeAnswer(queries, keys.agents, client.DELETE("/api/v1/agents/{agent_id}", inPath({ agent_id })));

async function changed(queries: QueryClient, campaign: Campaign): Promise<Campaign> {
  await replaceAnswer(queries, keys.one(campaign.campaign_id), campaign);
  void queries.invalidateQueries({ queryKey: keys.list, exact: true });
  return campaign;
}

export const beginCampaign = async (queries: QueryClient, body: CampaignPlan): Promise<Campaign> =>
  changed(queries, await unwrap(client.POST("/api/v1/campaigns", { body })));

export const stopCampaign = async (queries: QueryClient, campaign_id: string): Promise<Campaign> =>
  changed(queries, await unwrap(client.POST("/api/v1/campaigns/{campaign_id}/stop", inPath({ campaign_id }))));

export const repeatCampaign = async (queries: QueryClient, campaign_id: string): Promise<Campaign> =>
  changed(queries, await unwrap(client.POST("/api/v1/campaigns/{campaign_id}/repeat", inPath({ campaign_id }))));

export type SiblingUnit = Schemas["SiblingUnitOut"];
export type NotMeasuredAgent = Schemas["NotMeasuredOut"];

/** Compares each unit of a phase with the others. `phase` `null` means the last measured phase. */
export const siblingsQuery = (id: string, phase: string | null) =>
  getQuery(
    [...keys.one(id), "siblings", phase],
    "/api/v1/campaigns/{campaign_id}/siblings",
    { path: { campaign_id: id }, query: phase === null ? {} : { phase } },
    { retry: false },
  );

export const siblingsTable = (id: string, phase: string): string =>
  addressOf(`/api/v1/campaigns/${id}/siblings.csv`, { phase });
