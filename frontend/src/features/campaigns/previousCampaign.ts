// Pairs of runs of the same phase in two executions of one plan.
import type { Campaign } from "@/api/campaigns";

export type PhasePair = {
  name: string;
  /** Id of the run in the present campaign, which repeats the earlier campaign. */
  runId: string;
  subjects: readonly [string, string];
};

/** Returns pairs of measured phases with equal number and name that have runs in both campaigns, earlier run first. */
export function pairsOf(last: Pick<Campaign, "phases">, now: Pick<Campaign, "phases">): PhasePair[] {
  return now.phases.flatMap(({ number, name, kind, run_id }) => {
    const before = last.phases.find((phase) => phase.number === number && phase.name === name)?.run_id ?? null;
    if (kind !== "measure" || run_id === null || before === null) return [];
    return [{ name, runId: run_id, subjects: [`run:${before}`, `run:${run_id}`] as const }];
  });
}
