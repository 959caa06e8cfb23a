// Rate and p99 of each agent of a campaign over all of its operations, updated while the campaign runs.
import { useQueries, useQuery } from "@tanstack/react-query";
import type { Campaign, CampaignAgent } from "@/api/campaigns";
import { percentilesQuery, runsByIdQuery } from "@/api/queries";
import { serverNow } from "@/api/serverClock";
import type { Percentiles, RunSummary } from "@/api/types";
import { p99UpperNs } from "@/entities/run/p99";
import { NS_PER_SECOND } from "@/lib/format";

const LIVE_MS = 2_000;
const NONE: readonly RunSummary[] = [];
const isLive = ({ state }: RunSummary): boolean => state !== "finished";

export type AgentFigures = {
  /** Operations per second since the phase began. */
  readonly rate: number;
  /** Upper bound of the 99th percentile in nanoseconds; null before the first histogram. */
  readonly p99Ns: number | null;
};

/** Returns the id of the agent's run in the present or last phase; undefined without a run. */
function runOf({ runs }: CampaignAgent): string | undefined {
  const last = Math.max(...Object.keys(runs).map(Number));
  return runs[String(last)];
}

/** Returns the rate of all operations and their largest p99, by response time if recorded; null without operations. */
export function figuresOf({ curves }: Percentiles): AgentFigures | null {
  const clock = curves.some((curve) => curve.clock === "response") ? "response" : "service";
  const shown = curves.filter((curve) => curve.clock === clock && curve.operation !== "transaction");
  const bounds = shown.map(p99UpperNs);
  const rate = shown.reduce(
    (sum, { count, measured_ns }) => sum + (measured_ns ? ((count ?? 0) * NS_PER_SECOND) / measured_ns : 0),
    0,
  );
  if (rate === 0) return null;
  return {
    rate,
    p99Ns: bounds.some((bound) => bound === null) ? null : Math.max(...bounds.map((bound) => bound ?? 0)),
  };
}

/** Returns the time of a run's last data by this browser's clock, in milliseconds since 1970; 0 without data. */
const lastDataMs = ({ last_data_at }: RunSummary): number =>
  last_data_at === null ? 0 : Date.parse(last_data_at) + Date.now() - serverNow();

export function useAgentFigures({ agents, state }: Campaign): ReadonlyMap<string, AgentFigures> {
  const runIds = agents.flatMap((agent) => runOf(agent) ?? []);
  // A run has its id before it is stored, so the run list is queried for the ids that exist.
  const { data: runs = NONE } = useQuery({
    ...runsByIdQuery(runIds, isLive),
    refetchInterval: ({ state: { data } }) => (state !== "ended" || data?.some(isLive) === true ? LIVE_MS : false),
  });
  const percentiles = useQueries({
    queries: runs.map((run) => ({
      ...percentilesQuery(run.run_id),
      // A run that has ended is fetched once more after its last data.
      refetchInterval: ({ state: { dataUpdatedAt } }: { state: { dataUpdatedAt: number } }) =>
        isLive(run) || dataUpdatedAt < lastDataMs(run) ? LIVE_MS : (false as const),
    })),
  });
  const figures = new Map(
    runs.flatMap(({ run_id }, index) => {
      const curves = percentiles[index]?.data;
      return curves === undefined ? [] : [[run_id, figuresOf(curves)] as const];
    }),
  );
  return new Map(
    agents.flatMap((agent) => {
      const own = figures.get(runOf(agent) ?? "") ?? null;
      return own === null ? [] : [[agent.agent_id, own] as const];
    }),
  );
}
