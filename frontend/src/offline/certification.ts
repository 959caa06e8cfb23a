// Judges whether all full slices of a run are strictly below all limits for the required time, by exact counts:
// `certification` in backend/src/tailroom/domain/verdicts/exceedance.py. It applies to this run only, so it is never
// proven for the next.
import type { Certification, FullSlice } from "./evidence";
import { decided, undecided } from "./judgement";
import type { Judgement } from "./words";

type Load = { readonly measuredNs: number; readonly isTooLittle: boolean; readonly isTooMuch: boolean };

export function certify(
  rule: Certification,
  slices: readonly FullSlice[],
  limits: readonly number[],
  { measuredNs, isTooLittle, isTooMuch }: Load,
): Judgement {
  let isUnclear = false;
  for (const slice of slices) {
    for (const [at, ratio] of limits.entries()) {
      const allowed = ratio * slice.total;
      if (slice.total === 0 || (slice.over[at] ?? 0) < allowed || isTooMuch) continue;
      if ((slice.certain[at] ?? 0) >= allowed) return decided("FAIL");
      isUnclear = true;
    }
  }
  if (isUnclear) return undecided("resolution");
  if (rule.duration_ns > measuredNs) return undecided("duration");
  const needed = Math.floor(rule.duration_ns / rule.slice_ns);
  return isTooLittle || isTooMuch || slices.length < needed ? undecided("generator") : decided("PASS");
}
