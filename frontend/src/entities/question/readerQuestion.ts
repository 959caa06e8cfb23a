// Parses the question in a URL, a transaction or limits, into words and a budget document. The question is `null`
// unless every field is valid.

import { useRouterState } from "@tanstack/react-router";
import { useMemo } from "react";
import type { LeaderboardFilter } from "@/api/leaderboard";
import type { BudgetChoice } from "@/api/types";
import { asksTransaction, type ReaderQuestionSearch, type TransactionKey, transactionOf } from "./address";
import { limitsDocument, limitsParameter, limitsText, readLimits, readLimitTexts } from "./limits";
import { documentOf, type Question, readQuestion, TRANSACTION_DEFAULTS, wordsOf } from "./question";

export type Asked = {
  readonly kind: "transaction" | "limits";
  /** Question in words: `250 reads one after another within 600 ms, for 99.9 % of transactions`. */
  readonly text: string;
  readonly budget: BudgetChoice;
  /** The same question as leaderboard parameters. */
  readonly leaderboard: LeaderboardFilter;
};

export type ReaderQuestionState = {
  readonly question: Asked | null;
  /** Problems by field of the transaction. Problems of limits are shown by `LimitFields`. */
  readonly problems: { readonly [Key in TransactionKey]?: string };
};

/** Returns whether the URL contains a question. Limits take precedence over a transaction. */
export const asksOwn = (search: ReaderQuestionSearch): boolean =>
  search.limits !== undefined || asksTransaction(search);

export function readReaderQuestion(search: ReaderQuestionSearch): ReaderQuestionState {
  if (search.limits !== undefined) {
    const { limits } = readLimits(readLimitTexts(String(search.limits)));
    if (limits === null) return { question: null, problems: {} };
    const text = `slow reads: ${limitsText(limits)}`;
    const budget = { document: limitsDocument(limits) };
    return {
      question: { kind: "limits", text, budget, leaderboard: { limits: limitsParameter(limits) } },
      problems: {},
    };
  }
  const { question, problems } = readTransaction(search);
  if (question === null) return { question: null, problems };
  const leaderboard = transactionParameters(question);
  const budget = { document: documentOf(question) };
  return { question: { kind: "transaction", text: wordsOf(question), budget, leaderboard }, problems };
}

/** Parses the transaction of a URL, which has one stage. */
export const readTransaction = (search: ReaderQuestionSearch) =>
  readQuestion({ sched: TRANSACTION_DEFAULTS.sched, ...transactionOf(search) });

/** Returns a transaction of one stage as leaderboard parameters. */
export const transactionParameters = ({ stages: [stage], ...question }: Question): LeaderboardFilter => ({
  ...(stage === undefined ? {} : { reads: stage.count, scheduling: stage.scheduling, fan_out: stage.fanOut }),
  window_ns: question.windowNs,
  reserve_ns: question.reserveNs,
  objective_ratio: question.objective,
});

export function useReaderQuestion(): Asked | null {
  const search: ReaderQuestionSearch = useRouterState({ select: (state) => state.location.search });
  return useMemo(() => (asksOwn(search) ? readReaderQuestion(search).question : null), [search]);
}
