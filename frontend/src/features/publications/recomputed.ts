// Values recomputed from other numbers of the document, shown below the printed value.
import type { Schemas } from "@/api/types";
import { calculatedText } from "./findings";

export type RecomputedLike = Schemas["RecomputedOut"];

export type RecomputedText = { readonly text: string; readonly meaning: string; readonly differs: boolean };

/** Returns the short text below a number; hover shows the rest. */
function words(value: RecomputedLike): string {
  const text = value.value === null ? "not known" : calculatedText(value.value, value.unit);
  if (/in flight/.test(value.label)) return `${text} in flight`;
  if (value.how !== null) return `recomputed ${text}, ${value.how}`;
  return `recomputed ${text}${value.agrees === false ? ", differs" : ""}`;
}

export function recomputedByClaim(recomputed: readonly RecomputedLike[]): Map<string, RecomputedText[]> {
  const byClaim = new Map<string, RecomputedText[]>();
  for (const value of recomputed) {
    const text: RecomputedText = {
      text: words(value),
      meaning: `${value.label}, from ${value.rests_on.join(" and ")}${value.agrees === true ? "; both can be one number" : ""}`,
      // Truncation is no error, but the text still marks it as different from rounding.
      differs: value.agrees === false || value.how === "truncated",
    };
    const texts = byClaim.get(value.claim_key);
    if (texts === undefined) byClaim.set(value.claim_key, [text]);
    else texts.push(text);
  }
  return byClaim;
}
