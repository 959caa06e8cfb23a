// Which records of two executions of one plan belong together.
import type { Campaign } from "@/api/campaigns";

export type PhasePair = {
  name: string;
  /** The record of this time. */
  runId: string;
  subjects: readonly [string, string];
};

/** Measured phases of one number and name that have a record in both, the last time first. */
export function pairsOf(last: Pick<Campaign, "phases">, now: Pick<Campaign, "phases">): PhasePair[] {
  return now.phases.flatMap(({ number, name, kind, run_id }) => {
    const before = last.phases.find((phase) => phase.number === number && phase.name === name)?.run_id ?? null;
    if (kind !== "measure" || run_id === null || before === null) return [];
    return [{ name, runId: run_id, subjects: [`run:${before}`, `run:${run_id}`] as const }];
  });
}
