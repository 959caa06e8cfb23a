// Judges a run by a question of any kind, like `judge_budget` in backend/src/tailroom/domain/verdicts/judge_budget.py.
import type { CompletionQuestion, Question, RatesQuestion, Run, RunTotals } from "./evidence";
import { type Answer, answerOf, judgeLimits, noAnswer } from "./judge";
import { combined, decided, undecided } from "./judgement";
import { judgeTransactions } from "./transactions";
import type { Judgement } from "./words";

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

// Demands on a run as a whole, which apply to this run only: backend/src/tailroom/domain/verdicts/rates.py.

/** Judges whether the rates of a run are above their minimums. */
function judgeRates(run: Run, { floors }: RatesQuestion): Answer {
  return ofWhole(run, ({ rates }) =>
    combined(
      floors.map(({ quantity, above }) => {
        const [lower, upper] = rates[quantity] ?? [];
        if (lower === undefined || upper === undefined) return undecided("metadata");
        if (lower > above) return decided("PASS");
        return upper <= above ? decided("FAIL") : undecided("resolution");
      }),
    ),
  );
}

/** Judges whether a run completed at its load and lasted long enough. */
function judgeCompletion(run: Run, { duration_ns: durationNs }: CompletionQuestion): Answer {
  return ofWhole(run, ({ completed, lasted_ns: lastedNs, is_load_unclear: isLoadUnclear }) => {
    if (completed === false) return decided("FAIL");
    if (isLoadUnclear) return undecided("generator");
    if (lastedNs < durationNs) return undecided("duration");
    return completed === null ? undecided("metadata") : decided("PASS");
  });
}

function ofWhole(run: Run, judgementOf: (totals: RunTotals) => Judgement): Answer {
  if (run.unknown !== "") return noAnswer("metadata", run.unknown);
  if (run.whole === null) return noAnswer("samples", "no requests have been measured");
  return answerOf(judgementOf(run.whole));
}
