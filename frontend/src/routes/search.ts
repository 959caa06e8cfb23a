// What the address of each page may say, and what of it is kept.
import type { RunListView } from "@/features/run-list/RunList";
import { SORT_KEYS } from "@/features/run-list/sorting";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";

export function runListSearch(raw: RawSearch): RunListView {
  const sort = oneOf(raw["sort"], SORT_KEYS);
  return compact({
    state: oneOf(raw["state"], ["running", "finishing", "finished"]),
    workload: text(raw["workload"], 40),
    q: text(raw["q"]),
    sort: sort === "-started" ? undefined : sort,
  });
}

export type RunSearch = { operation?: string; clock?: string; scale?: "linear" | "log" };

export function runSearch(raw: RawSearch): RunSearch {
  return compact({
    operation: text(raw["operation"], 40),
    clock: oneOf(raw["clock"], ["response", "service", "queue", "operation"]),
    scale: oneOf(raw["scale"], ["linear", "log"]),
  });
}

/** Only a path of this site: an address from elsewhere in the link must not lead there after signing in. */
export function signInSearch(raw: RawSearch): { from?: string } {
  const from = text(raw["from"], 500);
  return compact({ from: from !== undefined && /^\/(?![/\\])/.test(from) ? from : undefined });
}
