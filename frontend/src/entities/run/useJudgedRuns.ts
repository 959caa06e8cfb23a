// Replaces the stored verdicts of listed runs by verdicts on the user's question. Runs without an answer yet have none.
import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { MATCH_PAGE, matchRunsQuery } from "@/api/sla";
import type { MatchItem, MatchPage, RunSummary, VerdictSummary } from "@/api/types";
import type { Asked } from "@/entities/question/readerQuestion";

const NAME = "my-question";

type RunsWithVerdicts = {
  runs: readonly RunSummary[];
  /** No answer has arrived yet. Rows shown now would change their height when it does. */
  isPending: boolean;
};

export function useJudgedRuns(runs: readonly RunSummary[], question: Asked | null): RunsWithVerdicts {
  const ids = question === null ? [] : runs.map(({ run_id }) => run_id);
  const pages = Array.from({ length: Math.ceil(ids.length / MATCH_PAGE) }, (_, page) =>
    ids.slice(page * MATCH_PAGE, (page + 1) * MATCH_PAGE),
  );
  const answers = useQueries({
    queries: pages.map((page) => matchRunsQuery(question?.budget ?? {}, page)),
    combine: combineAnswers,
  });
  return useMemo(() => {
    if (question === null) return { runs, isPending: false };
    const summaries = new Map(
      answers.pages.flatMap((page) => page.items.map((item) => [item.subject.run_id, summaryOf(item, page)] as const)),
    );
    return {
      runs: runs.map((run) => ({ ...run, verdicts: [summaries.get(run.run_id) ?? []].flat() })),
      isPending: answers.isPending && summaries.size === 0,
    };
  }, [runs, question, answers]);
}

const combineAnswers = (results: UseQueryResult<MatchPage>[]) => ({
  pages: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
  isPending: results.some(({ isPending }) => isPending),
});

function summaryOf(item: MatchItem, { budget: { document } }: MatchPage): VerdictSummary {
  return {
    budget_name: NAME,
    budget_title: "My question",
    verdict: item.verdict,
    strength: item.strength,
    words: item.words,
    reason: item.reason,
    provisional: item.subject.provisional,
    reason_text: item.reason_text,
    headline: item.headline?.text ?? null,
    room:
      document.kind !== "transaction"
        ? null
        : {
            window_ns: document.window_ns,
            reserve_ns: document.reserve_ns,
            room_lower_ns: item.room_lower_ns,
            room_upper_ns: item.room_upper_ns,
            quantile_lower_ns: null,
          },
    evidence_share: item.meter?.share ?? null,
    evidence_unit: item.meter?.unit ?? null,
  };
}
