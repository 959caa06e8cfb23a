// The reader's question from an address: a transaction or limits, in words and as a budget document. It exists only
// when every field is valid.
import type { LeaderboardAsked } from "@/api/leaderboard";
import type { BudgetChoice } from "@/api/types";
import type { Nanoseconds, Ratio } from "@/lib/units";
import { type AskedSearch, asksTransaction, type TransactionKey, transactionOf } from "./address";
import { limitsDocument, limitsParameter, limitsText, readLimits, readLimitTexts } from "./limits";
import { documentOf, readQuestion, TRANSACTION_DEFAULTS, wordsOf } from "./question";
import type { Counts } from "./scheduling";

export type Asked = {
  readonly kind: "transaction" | "limits";
  /** `250 reads one after another within 600 ms, for 99.9 % of transactions`. */
  readonly text: string;
  readonly budget: BudgetChoice;
  /** The same question, as the leaderboard takes it. */
  readonly leaderboard: LeaderboardAsked;
};

export type AskedState = {
  readonly question: Asked | null;
  /** By field of the transaction; limits explain theirs beside their fields. */
  readonly problems: { readonly [Key in TransactionKey]?: string };
};

/** Whether the address asks anything of the reader's own; limits count before a transaction. */
export const asksOwn = (search: AskedSearch): boolean => search.limits !== undefined || asksTransaction(search);

export function readAsked(search: AskedSearch): AskedState {
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
  const { question, problems } = readQuestion({ sched: TRANSACTION_DEFAULTS.sched, ...transactionOf(search) });
  const stage = question?.stages[0];
  if (question === null || stage === undefined) return { question: null, problems };
  const leaderboard = transactionParameters({ ...question, ...stage });
  const budget = { document: documentOf(question) };
  return { question: { kind: "transaction", text: wordsOf(question), budget, leaderboard }, problems };
}

export type Transaction = Counts & {
  readonly windowNs: Nanoseconds;
  readonly reserveNs: Nanoseconds;
  readonly objective: Ratio;
};

/** A transaction of one stage as the leaderboard takes it. */
export const transactionParameters = ({ windowNs, reserveNs, objective, ...stage }: Transaction): LeaderboardAsked => ({
  reads: stage.count,
  scheduling: stage.scheduling,
  fan_out: stage.fanOut,
  window_ns: windowNs,
  reserve_ns: reserveNs,
  objective_ratio: objective,
});
