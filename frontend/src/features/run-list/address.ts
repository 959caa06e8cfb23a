// Search parameters of the run list: filters and order. A leading minus means descending.
import type { RunFilter, RunSort } from "@/api/queries";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";

const SORT_FIELDS = ["title", "workload", "state", "started", "duration", "verdict"] as const;
export type SortField = (typeof SORT_FIELDS)[number];

const SORT_KEYS: readonly RunSort[] = SORT_FIELDS.flatMap((field): RunSort[] => [field, `-${field}`]);
export const DEFAULT_SORT: RunSort = "-started";

export type RunListView = RunFilter;

export function runListSearch(raw: RawSearch): RunListView {
  const sort = oneOf(raw["sort"], SORT_KEYS);
  return compact({
    state: oneOf(raw["state"], ["running", "finishing", "finished"]),
    workload: text(raw["workload"], 40),
    q: text(raw["q"]),
    sort: sort === DEFAULT_SORT ? undefined : sort,
  });
}
