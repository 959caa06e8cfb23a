// Judges a run by a question of any kind, like `judge_budget` in backend/src/tailroom/domain/verdicts/judge_budget.py.
import type { Question, Run } from "./evidence";
import { type Answer, answerOf, judgeLimits } from "./judge";
import { combined } from "./judgement";
import { judgeCompletion, judgeRates } from "./rates";
import { judgeTransactions } from "./transactions";

/** Returns the answer, or a sentence on why the page has none. */
export function answerTo(run: Run, question: Question): Answer | string {
  switch (question.kind) {
    case "limits":
      return judgeLimits(run, question);
    case "transactions":
      return judgeTransactions(run, question);
    case "rates":
      return judgeRates(run, question);
    case "completion":
      return judgeCompletion(run, question);
    case "parts":
      return combineDemands(question.parts.map((part) => answerTo(run, part)));
  }
}

/** Combines the answers to several demands, all of which must be met. */
function combineDemands(parts: readonly (Answer | string)[]): Answer | string {
  const open = parts.find((part) => typeof part === "string");
  if (open !== undefined) return open;
  const answers = parts.filter((part) => typeof part !== "string");
  const all = combined(answers.map(({ judgement }) => judgement));
  const fallen = answers.find(({ restsOnUnreliable }) => restsOnUnreliable);
  const deciding = all.verdict === "INDETERMINATE" && fallen ? fallen.judgement : all;
  // Bounds would be those of one of the demands.
  const judgement = {
    ...deciding,
    observed: { ...deciding.observed, lower: null, upper: null },
    proven: { ...deciding.proven, lower: null, upper: null },
  };
  return answerOf(judgement, {
    rows: answers.flatMap(({ rows }) => rows),
    note: fallen?.note ?? "",
    basis: answers.flatMap(({ basis }) => basis || []).join("; "),
    restsOnUnreliable: fallen !== undefined && judgement.verdict !== "FAIL",
  });
}
