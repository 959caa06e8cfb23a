// The largest count of operations that fits the window, with what is proven and what is possible.
import { formatInteger } from "@/lib/format";

type Largest = { readonly n_guaranteed: number | null; readonly n_possible: number | null };

/** `402`, `402 proven, 410 possible`, `at most 410`; null where nothing is known. No possible count means no upper limit. */
export function largestText({ n_guaranteed: proven, n_possible: possible }: Largest): string | null {
  if (proven === null) return possible === null ? null : `at most ${formatInteger(possible)}`;
  if (possible === null) return proven === 0 ? "none proven, no upper limit" : `at least ${formatInteger(proven)}`;
  if (possible === 0) return "none";
  if (proven === 0) return `at most ${formatInteger(possible)}, none proven`;
  return proven === possible
    ? formatInteger(proven)
    : `${formatInteger(proven)} proven, ${formatInteger(possible)} possible`;
}
