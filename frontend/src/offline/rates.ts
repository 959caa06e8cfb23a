// Judges demands on a run as a whole, which apply to this run only: backend/src/tailroom/domain/verdicts/rates.py.
import type { CompletionQuestion, RatesQuestion, Run, RunTotals } from "./evidence";
import { type Answer, answerOf, noAnswer } from "./judge";
import { combined, decided, undecided } from "./judgement";
import type { Judgement } from "./words";

/** Judges whether the rates of a run are above their minimums. */
export function judgeRates(run: Run, { floors }: RatesQuestion): Answer {
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
export function judgeCompletion(run: Run, { duration_ns: durationNs }: CompletionQuestion): Answer {
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
