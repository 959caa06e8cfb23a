// The answer to a question about one record: the quick one, and where only its coarse steps leave the question open, the exact one.
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type AskedSubject, evaluateQuery, exactQuery } from "@/api/sla";
import type { BudgetChoice, Evaluation } from "@/api/types";
import { needsExact } from "./answer";

/** Placeholders while there is no question; never sent. */
const NO_SUBJECT: AskedSubject = { key: "", subject: {} };
const NO_BUDGET: BudgetChoice = {};

type Answered = {
  answer: UseQueryResult<Evaluation>;
  /** The exact answer is on its way; the quick one stands until then. */
  calculating: boolean;
};

export function useEvaluation(subject: AskedSubject | null, budget: BudgetChoice | null): Answered {
  const parameters = [subject ?? NO_SUBJECT, budget ?? NO_BUDGET] as const;
  const quick = useQuery({ ...evaluateQuery(...parameters), enabled: subject !== null && budget !== null });
  // A live run has other figures in a moment, and is calculated exactly at its end.
  const open =
    quick.data !== undefined &&
    !quick.isPlaceholderData &&
    !quick.data.subject.provisional &&
    needsExact(quick.data.meter ?? null);
  const exact = useQuery({ ...exactQuery(...parameters), enabled: open });
  return { answer: open && exact.data !== undefined ? exact : quick, calculating: open && exact.isFetching };
}
