// Notes on comparability with their reasons said once for all pairs that share them.
type Note = { readonly row_ids: readonly string[]; readonly reasons: readonly string[] };

const BEGINNING = /^not comparable because\s+/i;

/** The API begins each reason with the same words; where the page has said them, they are left out. */
export const reasonText = (reason: string): string => reason.replace(BEGINNING, "").replace(/\.$/, "");

export type NoteGroup = { readonly reasons: readonly string[]; readonly pairs: readonly (readonly [string, string])[] };

export function groupNotes(notes: readonly Note[]): NoteGroup[] {
  const groups = new Map<string, { reasons: readonly string[]; pairs: [string, string][] }>();
  for (const { row_ids: ids, reasons } of notes) {
    const [first, second] = ids;
    if (first === undefined || second === undefined || reasons.length === 0) continue;
    const key = reasons.join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { reasons, pairs: [[first, second]] });
    else group.pairs.push([first, second]);
  }
  return [...groups.values()];
}
