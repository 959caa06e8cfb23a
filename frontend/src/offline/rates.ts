// Judges demands on a run as a whole, which apply to this run only: backend/src/tailroom/domain/verdicts/rates.py.
import type { CompletionQuestion, RatesQuestion, Run, RunTotals } from "./evidence";
import { type Answer, noAnswer } from "./judge";
import { combined, decided, undecided } from "./judgement";
import { type Judgement, wordsOf } from "./words";

/** Judges whether the rates of a run are above their minimums. */
export function judgeRates(run: Run, { floors }: RatesQuestion): Answer {
  return answerOf(run, ({ rates }) =>
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
  return answerOf(run, ({ completed, lasted_ns: lastedNs, is_load_unclear: isLoadUnclear }) => {
    if (completed === false) return decided("FAIL");
    if (isLoadUnclear) return undecided("generator");
    if (lastedNs < durationNs) return undecided("duration");
    return completed === null ? undecided("metadata") : decided("PASS");
  });
}

function answerOf(run: Run, judgementOf: (totals: RunTotals) => Judgement): Answer {
  if (run.unknown !== "") return noAnswer("metadata", run.unknown);
  if (run.whole === null) return noAnswer("samples", "no requests have been measured");
  const judgement = judgementOf(run.whole);
  return {
    words: wordsOf(judgement),
    judgement,
    rows: [],
    certification: null,
    note: "",
    basis: "",
    restsOnUnreliable: false,
  };
}
