// Fetches the answer to a question about one subject: a quick one first, then the exact one if only coarse steps leave
// it undecided.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { evaluateQuery, exactQuery, type KeyedSubject } from "@/api/sla";
import type { BudgetChoice, Evaluation } from "@/api/types";
import { needsExact } from "./answer";

/** Placeholders without a question; never sent. */
const NO_SUBJECT: KeyedSubject = { key: "", subject: {} };
const NO_BUDGET: BudgetChoice = {};

type Answered = {
  answer: UseQueryResult<Evaluation>;
  /** The exact answer is loading; the quick one is shown until then. */
  calculating: boolean;
};

export function useEvaluation(subject: KeyedSubject | null, budget: BudgetChoice | null): Answered {
  const parameters = [subject ?? NO_SUBJECT, budget ?? NO_BUDGET] as const;
  const quick = useQuery({ ...evaluateQuery(...parameters), enabled: subject !== null && budget !== null });
  // A live run changes in a moment; it is judged exactly at its end.
  const open =
    quick.data !== undefined &&
    !quick.isPlaceholderData &&
    !quick.data.subject.provisional &&
    needsExact(quick.data.meter ?? null);
  const exact = useQuery({ ...exactQuery(...parameters), enabled: open });
  return { answer: open && exact.data !== undefined ? exact : quick, calculating: open && exact.isFetching };
}
