// When a run is to end: after a time, or after a number of operations, as a phase of a database plan may.
import type { RunDetail } from "@/api/types";
import { formatInteger, formatSpan } from "@/lib/format";
import { nanoseconds } from "@/lib/units";

/** Operations after which the run ends; null where time ends it. */
export function operationsUntilEnd(plan: RunDetail["plan"]): number | null {
  const phase = plan["phase"];
  if (typeof phase !== "object" || phase === null || Reflect.get(phase, "duration_s") !== null) return null;
  const operations = Reflect.get(phase, "operations");
  return typeof operations === "number" ? operations : null;
}

/** `30 s`, or `2,000 operations`. */
export function plannedEnd(run: Pick<RunDetail, "plan" | "planned_duration_ns">): string {
  const operations = operationsUntilEnd(run.plan);
  return operations === null
    ? formatSpan(nanoseconds(run.planned_duration_ns))
    : `${formatInteger(operations)} operations`;
}
