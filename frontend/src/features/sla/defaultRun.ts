import type { RunSummary } from "@/api/types";

/** Returns the run to judge if the address names none: the newest with verdicts, otherwise the newest. */
export function defaultRun(runs: readonly RunSummary[]): RunSummary | undefined {
  const finished = runs.filter((run) => run.state === "finished");
  // Interrupted runs are not representative; preparation phases and files without reads have no verdicts.
  const completed = finished.filter((run) => run.outcome === "completed");
  return completed.find((run) => run.verdicts.length > 0) ?? completed[0] ?? finished[0] ?? runs[0];
}
