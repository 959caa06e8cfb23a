// Figures of a campaign's phases, and their verdicts by the reader's question or the built-in budgets.
import { useQueries, useQuery } from "@tanstack/react-query";
import type { Campaign, CampaignPhase } from "@/api/campaigns";
import { figuresQuery, runsByIdQuery } from "@/api/queries";
import type { RunSummary } from "@/api/types";
import { useReaderQuestion } from "@/entities/question/useReaderQuestion";
import { useJudgedRuns } from "@/entities/run/useJudgedRuns";
import { hasQuestion } from "@/entities/run/words";
import { type PhaseRow, phaseRows } from "./phaseRows";

export type PhaseResult = {
  readonly phase: CampaignPhase;
  readonly rows: readonly PhaseRow[];
  readonly run: RunSummary | undefined;
};

const NONE: readonly RunSummary[] = [];

export const awaitsVerdict = (run: RunSummary): boolean =>
  run.phase_kind === null && run.verdicts.length === 0 && hasQuestion(run);

export function usePhaseResults(campaign: Campaign): readonly PhaseResult[] {
  const phases = campaign.phases.filter(({ state }) => state !== "skipped");
  const runIds = phases.flatMap(({ run_id }) => run_id ?? []);
  const measured = useQueries({
    queries: runIds.map(figuresQuery),
    combine: (all) => new Map(all.flatMap(({ data }) => (data === undefined ? [] : [[data.run_id, data] as const]))),
  });
  const { runs } = useJudgedRuns(useQuery(runsByIdQuery(runIds, awaitsVerdict)).data ?? NONE, useReaderQuestion());
  return phases.map((phase) => ({
    phase,
    rows: phaseRows(phase, measured.get(phase.run_id ?? "")),
    run: runs.find(({ run_id }) => run_id === phase.run_id),
  }));
}
