// What an event of the audit trail changed, as text.
import type { TrailEvent } from "@/api/organisation";

type Change = Pick<TrailEvent, "before" | "after">;

/** Returns each value that an event changed, added, set or removed; empty if the event states none. */
export function changeOf({ before, after }: Change): string {
  if (!before || !after) {
    return textOf(before ?? after ?? {});
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => (before[name] ?? null) !== (after[name] ?? null))
    .map((name) => `${labelOf(name)}: ${String(before[name] ?? "none")} → ${String(after[name] ?? "none")}`)
    .join(", ");
}

const labelOf = (name: string): string => name.replaceAll("_", " ");

const textOf = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${labelOf(name)}: ${String(value)}`)
    .join(", ");
