// Validation of the search parameters of run list, run page and sign-in page.
import { DEFAULT_SORT, type RunListView, SORT_KEYS } from "@/features/run-list/address";
import type { RunView } from "@/features/run-page/address";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";

export function runListSearch(raw: RawSearch): RunListView {
  const sort = oneOf(raw["sort"], SORT_KEYS);
  return compact({
    state: oneOf(raw["state"], ["running", "finishing", "finished"]),
    workload: text(raw["workload"], 40),
    q: text(raw["q"]),
    sort: sort === DEFAULT_SORT ? undefined : sort,
  });
}

/** Largest offset in seconds: longer than any run, and exact in nanoseconds. */
const MOST_SECONDS = 8_000_000;

export function runSearch(raw: RawSearch): RunView {
  const [from, to] = [raw["from"], raw["to"]].map(Number) as [number, number];
  const isPart = from >= 0 && to > from && to < MOST_SECONDS;
  return compact({
    from: isPart ? from : undefined,
    to: isPart ? to : undefined,
    operation: text(raw["operation"], 40),
    clock: oneOf(raw["clock"], ["response", "service", "queue", "operation"]),
    scale: oneOf(raw["scale"], ["linear", "log"]),
  });
}

/** Returns the page to open after sign-in; only paths of this site, so that a crafted link cannot lead elsewhere. */
export function signInSearch(raw: RawSearch): { from?: string } {
  const from = text(raw["from"], 500);
  return compact({ from: from !== undefined && /^\/(?![/\\])/.test(from) ? from : undefined });
}
