// Rate and p99 of each agent of a campaign in its present or last phase, updated while the campaign runs.
import { useQueries, useQuery } from "@tanstack/react-query";
import type { Campaign, CampaignAgent } from "@/api/campaigns";
import { percentilesQuery, runsByIdQuery } from "@/api/queries";
import { serverNow } from "@/api/serverClock";
import type { Percentiles, RunSummary } from "@/api/types";
import { p99UpperNs } from "@/entities/run/words";
import { NS_PER_SECOND } from "@/lib/format";
import { leadingOperations, nounOf, type PhaseTargets } from "./phaseRows";

const LIVE_MS = 2_000;
const NONE: readonly RunSummary[] = [];
const isLive = ({ state }: RunSummary): boolean => state !== "finished";

export type AgentFigures = NonNullable<ReturnType<typeof figuresOf>>;

/** Returns the number of the agent's present or last phase; -Infinity before the first. */
const phaseNumberOf = ({ runs }: CampaignAgent): number => Math.max(...Object.keys(runs).map(Number));

/** Returns the id of the agent's run in the present or last phase; undefined without a run. */
const runOf = (agent: CampaignAgent): string | undefined => agent.runs[String(phaseNumberOf(agent))];

/** Returns the rate of what the phase is about and its largest p99, of each operation by response time if recorded;
 * null without operations. */
export function figuresOf({ curves }: Percentiles, phase: PhaseTargets) {
  const responses = new Set(curves.flatMap(({ clock, operation }) => (clock === "response" ? operation : [])));
  const shown = leadingOperations(
    phase,
    curves.filter(({ clock, operation }) => clock === "response" || !responses.has(operation)),
  );
  // Fewer than 100 operations have no point of their 99th percentile; the slowest bounds it, if none failed.
  const bounds = shown.map((curve) => p99UpperNs(curve) ?? (curve.miss_count === 0 ? curve.max_ns : null));
  const rate = shown.reduce(
    (sum, { count, measured_ns }) => sum + (measured_ns ? ((count ?? 0) * NS_PER_SECOND) / measured_ns : 0),
    0,
  );
  if (rate === 0) return null;
  return {
    noun: nounOf(shown),
    /** Of these per second since the phase began. */
    rate,
    /** Upper bound of the 99th percentile in nanoseconds; null before the first histogram. */
    p99Ns: bounds.some((bound) => bound === null) ? null : Math.max(...bounds.map((bound) => bound ?? 0)),
  };
}

/** Returns the time of a run's last data by this browser's clock, in milliseconds since 1970; 0 without data. */
const lastDataMs = ({ last_data_at }: RunSummary): number =>
  last_data_at === null ? 0 : Date.parse(last_data_at) + Date.now() - serverNow();

export function useAgentFigures({ agents, phases, state }: Campaign): ReadonlyMap<string, AgentFigures> {
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
  const curvesOf = new Map(runs.map(({ run_id }, index) => [run_id, percentiles[index]?.data]));
  return new Map(
    agents.flatMap((agent) => {
      const curves = curvesOf.get(runOf(agent) ?? "");
      const phase = phases[phaseNumberOf(agent)];
      const own = curves === undefined || phase === undefined ? null : figuresOf(curves, phase);
      return own === null ? [] : [[agent.agent_id, own] as const];
    }),
  );
}
