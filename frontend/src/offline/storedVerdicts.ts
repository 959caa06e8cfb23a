// Compares stored verdicts with verdicts computed again from the counts in the page.
import { shareText } from "@/lib/shares";
import { answerTo } from "./answers";
import type { Run, StoredVerdict } from "./evidence";
import type { Scope } from "./words";

/** Returns verdict and strength of a stored verdict, parsed from its words. */
export function shownOf({ words }: StoredVerdict) {
  if (words.startsWith("Undecided")) return { verdict: "INDETERMINATE", strength: "" };
  return { verdict: words.slice(0, 4), strength: words.endsWith("proven") ? "proven" : "observed" };
}

/** Returns the page's answer to a stored question, `null` if it cannot judge it, and whether both verdicts agree. */
export function compareWithStored(run: Run, stored: StoredVerdict) {
  const question = stored.asked_again;
  const answer = question === null ? "" : answerTo(run, question);
  if (question === null || typeof answer === "string") {
    const text = "As judged when the page was made; tailroom verify works it out again.";
    return { answer: null, sameness: { isSame: null, text } };
  }
  const showsLate = question.kind === "limits" && question.limits.some(({ kind }) => kind === "exceedance");
  const differences = [
    ...(answer.words === stored.words ? [] : [answer.words]),
    ...differing(answer.judgement.observed, stored, "observed", showsLate),
    ...differing(answer.judgement.proven, stored, "proven", showsLate),
  ];
  const isSame = differences.length === 0;
  const text = isSame
    ? "Worked out again here from the counts in this page: the same verdict and the same bounds."
    : `Worked out again here, and it differs: ${differences.join("; ")}.`;
  return { answer, sameness: { isSame, text } };
}

/**
 * Returns the differences between two scopes. Counted bounds of this run must be equal in every bit. Bounds from a
 * model, which are sums on a grid, and bounds for the next run must be equal as printed.
 */
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
  const isExact = name === "observed" && stored.is_counted;
  const same = !isExact && text(here) === text(before);
  return same ? [] : [`${name} ${text(here)} for ${text(before)}`];
}

const restOf = ({ verdict, lower, upper }: Scope): Scope => ({
  verdict,
  lower: upper === null ? null : 1 - upper,
  upper: lower === null ? null : 1 - lower,
});
