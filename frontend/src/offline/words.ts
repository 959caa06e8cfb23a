// Types of a judgement, and its words as in backend/src/tailroom/domain/verdicts/headline.py.

/** Reasons in the order in which they are tried. */
export const REASONS = ["resolution", "samples", "dependence", "duration", "generator", "metadata"] as const;
export type Reason = (typeof REASONS)[number];
export type Word = "PASS" | "FAIL" | "INDETERMINATE";
export type Scope = { readonly verdict: Word; readonly lower: number | null; readonly upper: number | null };

export type Judgement = {
  readonly verdict: Word;
  readonly strength: "proven" | "observed" | null;
  readonly reason: Reason | null;
  /** Share that meets the objective: in this run, and with confidence for the next. */
  readonly observed: Scope;
  readonly proven: Scope;
};

const REASON_WORDS: Readonly<Record<Reason, string>> = {
  resolution: "buckets too coarse",
  samples: "too few operations",
  dependence: "measured transactions contradict the model",
  duration: "run too short",
  generator: "load generator unreliable",
  metadata: "conditions unknown",
};

/** Returns “PASS, proven”, “FAIL in this run” or “Undecided: buckets too coarse”. */
export function wordsOf({ verdict, strength, reason }: Judgement): string {
  if (verdict === "INDETERMINATE") return reason === null ? "Undecided" : `Undecided: ${REASON_WORDS[reason]}`;
  return strength === "proven" ? `${verdict}, proven` : `${verdict} in this run`;
}
