// Notes on comparability by their reasons: the reason with most pairs first, each pair with all its reasons below.
type Note = { readonly row_ids: readonly string[]; readonly reasons: readonly string[] };

const BEGINNING = /^not comparable because\s+/i;
const DETAIL = /\s*[(:].*$/;

/** The API begins each reason with the same words; where the page shows them already, they are left out. */
export const reasonText = (reason: string): string => reason.replace(BEGINNING, "").replace(/\.$/, "");

/** A reason without what it was in this pair: `different times were taken`. */
export const reasonKind = (reason: string): string => reasonText(reason).replace(DETAIL, "");

export type KindCount = { readonly kind: string; readonly pairs: number };

/** Kinds of reasons, the most frequent first. */
export function countKinds(notes: readonly Note[]): KindCount[] {
  const counts = new Map<string, number>();
  for (const { reasons } of notes)
    for (const kind of new Set(reasons.map(reasonKind))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, pairs]) => ({ kind, pairs })).sort((a, b) => b.pairs - a.pairs);
}
