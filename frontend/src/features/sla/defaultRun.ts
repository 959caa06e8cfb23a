import type { RunSummary } from "@/api/types";

/** Return the run that is asked about where the address names none: the newest with an answer, by how much it can show. */
export function defaultRun(runs: readonly RunSummary[]): RunSummary | undefined {
  const finished = runs.filter((run) => run.state === "finished");
  // A run that was cut off represents only itself; the filling of a database and a file without reads have no verdicts.
  const completed = finished.filter((run) => run.outcome === "completed");
  return completed.find((run) => run.verdicts.length > 0) ?? completed[0] ?? finished[0] ?? runs[0];
}
