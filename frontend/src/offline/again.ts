// A stored verdict beside the same question worked out from the counts in the page.
import { shareText } from "@/lib/shares";
import type { Run, StoredVerdict } from "./evidence";
import { type Answer, judgeLimits } from "./judge";
import type { Scope } from "./words";

export type Again = {
  readonly words: string;
  readonly verdict: string;
  readonly strength: string;
  /** Null where the page cannot work the question out. */
  readonly answer: Answer | null;
  readonly sameness: { readonly isSame: boolean | null; readonly text: string };
};

/** Return a stored verdict, and whether the counts in the page give the same. */
export function againOf(run: Run, stored: StoredVerdict): Again {
  const strength = stored.words.endsWith("proven") ? "proven" : stored.words.startsWith("Undecided") ? "" : "observed";
  const shown = { words: stored.words, verdict: stored.observed.verdict, strength };
  const verdict = stored.words.startsWith("Undecided") ? "INDETERMINATE" : stored.words.slice(0, 4);
  if (stored.limits_question === null)
    return {
      ...shown,
      verdict,
      answer: null,
      sameness: { isSame: null, text: "As judged when the page was made; tailroom verify works it out again." },
    };
  const answer = judgeLimits(run, stored.limits_question);
  const showsLate = stored.limits_question.limits.some(({ kind }) => kind === "exceedance");
  const differences = [
    ...(answer.words === stored.words ? [] : [answer.words]),
    ...differing(answer.judgement.observed, stored, "observed", showsLate),
    ...differing(answer.judgement.proven, stored, "proven", showsLate),
  ];
  const isSame = differences.length === 0;
  const text = isSame
    ? "Worked out again here from the counts in this page: the same verdict and the same bounds."
    : `Worked out again here, and it differs: ${differences.join("; ")}.`;
  return { ...shown, verdict, answer, sameness: { isSame, text } };
}

/** Bounds of this run are counts and must be equal in every bit; those for the next run in every digit that is printed. */
function differing(
  worked: Scope,
  stored: StoredVerdict,
  name: "observed" | "proven",
  showsLate: boolean,
): readonly string[] {
  const before = stored[name];
  const here = showsLate ? restOf(worked) : worked;
  if (here.verdict !== before.verdict) return [`${name} ${here.verdict}`];
  if (here.lower === null || here.upper === null || before.lower === null || before.upper === null)
    return here.lower === before.lower && here.upper === before.upper ? [] : [`${name} bounds`];
  if (name === "observed" && here.lower === before.lower && here.upper === before.upper) return [];
  const text = ({ lower, upper }: Scope): string => shareText(lower ?? 0, upper ?? 1, { limit: stored.asked });
  const same = name === "proven" && text(here) === text(before);
  return same ? [] : [`${name} ${text(here)} for ${text(before)}`];
}

const restOf = ({ verdict, lower, upper }: Scope): Scope => ({
  verdict,
  lower: upper === null ? null : 1 - upper,
  upper: lower === null ? null : 1 - lower,
});
