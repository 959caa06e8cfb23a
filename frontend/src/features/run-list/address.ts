// Search parameters of the run list: filters and order. A leading minus means descending.
import type { RunFilter, RunSort } from "@/api/queries";

const SORT_FIELDS = ["title", "workload", "state", "started", "duration", "verdict"] as const;
export type SortField = (typeof SORT_FIELDS)[number];

export const SORT_KEYS: readonly RunSort[] = SORT_FIELDS.flatMap((field): RunSort[] => [field, `-${field}`]);
export const DEFAULT_SORT: RunSort = "-started";

export type RunListView = RunFilter;
