// Verdicts of each agent's own runs in phases whose runs are not added up, such as those of drives.
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import type { Campaign, CampaignPhase } from "@/api/campaigns";
import { runsByIdQuery } from "@/api/queries";
import { MATCH_PAGE, matchRunsQuery } from "@/api/sla";
import type { MatchPage, RunSummary } from "@/api/types";
import { useReaderQuestion } from "@/entities/question/useReaderQuestion";
import { useJudgedRuns } from "@/entities/run/useJudgedRuns";
import type { Judged } from "@/entities/verdict/words";
import { awaitsVerdict } from "./usePhaseResults";

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
