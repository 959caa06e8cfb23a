// The largest count of operations that fits the window, as this run shows it.
import { formatInteger } from "@/lib/format";

type Largest = { readonly n_guaranteed: number | null; readonly n_possible: number | null };

/** Where the search for the largest count stops: a limit of the product, never a finding. */
const SEARCHED = 2 ** 20 - 1;

/** Return `402`, `402, up to 410 may`, `up to 410 may`; null where nothing is known or all that was searched fits. */
export function largestText({ n_guaranteed: least, n_possible }: Largest): string | null {
  const most = n_possible === null || n_possible >= SEARCHED ? null : n_possible;
  if (least !== null && least >= SEARCHED) return null;
  if (most === 0) return "none";
  if (least === null || least === 0) return most === null ? null : `up to ${formatInteger(most)} may`;
  if (most === null) return `${formatInteger(least)} or more`;
  return least === most ? formatInteger(least) : `${formatInteger(least)}, up to ${formatInteger(most)} may`;
}
