// Notes on comparability grouped by reason, the most frequent reason first.
type Note = { readonly row_ids: readonly string[]; readonly reasons: readonly string[] };

const BEGINNING = /^not comparable because\s+/i;
const DETAIL = /\s*[(:].*$/;

/** Returns a reason without its fixed beginning, which the page shows already. */
export const reasonText = (reason: string): string => reason.replace(BEGINNING, "").replace(/\.$/, "");

/** Returns the kind of a reason, without the values of the pair: `different times were taken`. */
export const reasonKind = (reason: string): string => reasonText(reason).replace(DETAIL, "");

export type KindCount = { readonly kind: string; readonly pairs: number };

/** Returns the kinds of reasons with their number of pairs, the most frequent first. */
export function countKinds(notes: readonly Note[]): KindCount[] {
  const counts = new Map<string, number>();
  for (const { reasons } of notes)
    for (const kind of new Set(reasons.map(reasonKind))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, pairs]) => ({ kind, pairs })).sort((a, b) => b.pairs - a.pairs);
}
