// The planned end of a run: a duration, or a number of operations for some phases of database plans.
import type { RunSummary } from "@/api/types";
import { formatInteger, formatSpan } from "@/lib/format";

/** Returns the planned duration or number of operations: `30 s`, `2,000 operations`. */
export function plannedEnd(run: Pick<RunSummary, "planned_operations" | "planned_duration_ns">): string {
  return run.planned_operations === null
    ? formatSpan(run.planned_duration_ns)
    : `${formatInteger(run.planned_operations)} operations`;
}
