// When a run is to end: after a time, or after a number of operations, as a phase of a database plan may.
import type { RunSummary } from "@/api/types";
import { formatInteger, formatSpan } from "@/lib/format";
import { nanoseconds } from "@/lib/units";

/** `30 s`, or `2,000 operations`. */
export function plannedEnd(run: Pick<RunSummary, "planned_operations" | "planned_duration_ns">): string {
  return run.planned_operations === null
    ? formatSpan(nanoseconds(run.planned_duration_ns))
    : `${formatInteger(run.planned_operations)} operations`;
}
