// The order of runs. A leading minus is descending; runs that are equal keep the order of the API, newest first.
import type { RunSummary } from "@/api/types";

export const SORT_FIELDS = ["title", "workload", "state", "verdict", "started", "duration"] as const;
export type SortField = (typeof SORT_FIELDS)[number];
export type SortKey = SortField | `-${SortField}`;

export const SORT_KEYS: readonly SortKey[] = SORT_FIELDS.flatMap((field): SortKey[] => [field, `-${field}`]);

const VERDICT_ORDER = { FAIL: 0, INDETERMINATE: 1, PASS: 2 } as const;

/** The worst verdict decides where a run stands; without a verdict it stands last. */
const worst = (run: RunSummary): number =>
  Math.min(3, ...run.verdicts.map((verdict) => VERDICT_ORDER[verdict.verdict]));

const KEYS: Record<SortField, (run: RunSummary) => string | number> = {
  title: (run) => run.title.toLowerCase(),
  workload: (run) => run.workload,
  state: (run) => run.state,
  verdict: worst,
  started: (run) => Date.parse(run.started_at),
  duration: (run) => run.measured_duration_ns ?? run.planned_duration_ns,
};

export function sortRuns(runs: readonly RunSummary[], sort: SortKey): RunSummary[] {
  const descending = sort.startsWith("-");
  const key = KEYS[(descending ? sort.slice(1) : sort) as SortField];
  const compare = (a: RunSummary, b: RunSummary): number => {
    const [left, right] = [key(a), key(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  };
  return [...runs].sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
}
