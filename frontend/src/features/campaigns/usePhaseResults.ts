// Figures of a campaign's phases, and their verdicts by the reader's question or the built-in budgets.
import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import type { Campaign, CampaignPhase } from "@/api/campaigns";
import { figuresQuery, runsByIdQuery } from "@/api/queries";
import { MATCH_PAGE, matchRunsQuery } from "@/api/sla";
import type { MatchPage, RunSummary } from "@/api/types";
import { useReaderQuestion } from "@/entities/question/readerQuestion";
import { useJudgedRuns } from "@/entities/run/useJudgedRuns";
import { hasQuestion } from "@/entities/run/words";
import type { Judged } from "@/entities/verdict/words";
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

export type OwnVerdict = Judged & { readonly title: string };
/** Verdicts by run: by the objectives of the campaign, then by the reader's question or the built-in budgets. */
export type OwnVerdicts = ReadonlyMap<string, readonly OwnVerdict[]>;

/** Returns whether the runs of a phase stay those of its agents, because they cannot be added up. */
const isUnmerged = ({ run_id, merged }: CampaignPhase): boolean => run_id === null && merged.length > 0;

export function useOwnVerdicts({ agents, phases, objectives }: Campaign): OwnVerdicts {
  const numbers = phases.filter(isUnmerged).map(({ number }) => String(number));
  const ids = agents.flatMap(({ runs }) => numbers.flatMap((number) => runs[number] ?? []));
  const pages = Array.from({ length: Math.ceil(ids.length / MATCH_PAGE) }, (_, page) =>
    ids.slice(page * MATCH_PAGE, (page + 1) * MATCH_PAGE),
  );
  const stored = useQueries({
    queries: pages.map((page) => runsByIdQuery(page, awaitsVerdict)),
    combine: (results: UseQueryResult<readonly RunSummary[]>[]) => results.flatMap(({ data }) => data ?? []),
  });
  const { runs } = useJudgedRuns(stored, useReaderQuestion());
  const answers = useQueries({
    queries: objectives.flatMap((objective) => pages.map((page) => matchRunsQuery({ objective }, page))),
    combine: (results: UseQueryResult<MatchPage>[]) => results.flatMap(({ data }) => data ?? []),
  });
  const byRun = new Map<string, OwnVerdict[]>(ids.map((id) => [id, []]));
  for (const { budget, items } of answers)
    for (const item of items)
      byRun.get(item.subject.run_id ?? "")?.push({
        title: budget.document.title,
        verdict: item.verdict,
        strength: item.strength,
        words: item.words,
        provisional: item.subject.provisional,
      });
  for (const { run_id, verdicts } of runs)
    byRun.get(run_id)?.push(...verdicts.map((verdict) => ({ ...verdict, title: verdict.budget_title })));
  return byRun;
}
