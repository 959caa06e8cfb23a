// Values that other numbers of the document give, as they stand below the printed one.
import type { PrintedNumber } from "@/lib/printed";
import { calculatedText } from "./findings";

export type RecomputedLike = PrintedNumber & {
  readonly claim_key: string;
  readonly label: string;
  readonly rests_on: readonly string[];
  /** Whether both can be one number; null where none was printed. */
  readonly agrees: boolean | null;
  readonly how: string | null;
};

export type RecomputedText = { readonly text: string; readonly meaning: string; readonly differs: boolean };

/** What is said in few words below a number; the rest is on hover. */
function words(value: RecomputedLike): string {
  const text = value.value === null ? "not known" : calculatedText(value.value, value.unit);
  if (/in flight/.test(value.label)) return `${text} in flight`;
  if (value.how !== null) return `recomputed ${text}, ${value.how}`;
  return `recomputed ${text}${value.agrees === false ? ", differs" : ""}`;
}

export function recomputedByClaim(found: readonly RecomputedLike[]): Map<string, RecomputedText[]> {
  const byClaim = new Map<string, RecomputedText[]>();
  for (const one of found) {
    const text: RecomputedText = {
      text: words(one),
      meaning: `${one.label}, from ${one.rests_on.join(" and ")}${one.agrees === true ? "; both can be one number" : ""}`,
      // Truncation is no error, but it is not what rounding gives.
      differs: one.agrees === false || one.how === "truncated",
    };
    const known = byClaim.get(one.claim_key);
    if (known === undefined) byClaim.set(one.claim_key, [text]);
    else known.push(text);
  }
  return byClaim;
}
