// Validates the two events of a live run's stream before the page uses them.
import { NOTHING_KNOWN, WHOLE, WHOLE_OR_NULL } from "./tickColumns";
import type { RunState, Tick } from "./types";

export type TicksEvent = { run_id: string; ticks: Tick[] };

const CHANGES = ["state", "verdicts", "slices"] as const;
export type Change = (typeof CHANGES)[number];
export type ChangedEvent = { run_id: string; what: Change[]; state: RunState | null };

type Fields = Record<string, unknown>;

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isWholeOrNull = (value: unknown): value is number | null => value === null || isWhole(value);

function isTick(value: unknown): value is Tick {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Fields;
  return (
    WHOLE.every((key) => isWhole(fields[key])) &&
    WHOLE_OR_NULL.every((key) => isWholeOrNull(fields[key])) &&
    Object.keys(NOTHING_KNOWN).every((key) => isWholeOrNull(fields[key] ?? null)) &&
    Array.isArray(fields["pins"]) &&
    fields["pins"].every(isWhole)
  );
}

function parse(data: string): Fields | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** Returns the parsed event; `null` if it is invalid, in which case the caller refetches the snapshot. */
export function parseTicksEvent(data: string): TicksEvent | null {
  const fields = parse(data);
  if (fields === null || typeof fields["run_id"] !== "string" || !Array.isArray(fields["ticks"])) return null;
  const ticks: unknown[] = fields["ticks"];
  if (!ticks.every(isTick)) return null;
  return { run_id: fields["run_id"], ticks: ticks.map((tick) => ({ ...NOTHING_KNOWN, ...tick })) };
}

export function parseChangedEvent(data: string): ChangedEvent | null {
  const fields = parse(data);
  if (fields === null || typeof fields["run_id"] !== "string" || !Array.isArray(fields["what"])) return null;
  const what = CHANGES.filter((change) => (fields["what"] as unknown[]).includes(change));
  const state =
    (["running", "finishing", "finished"] as const).find((candidate) => candidate === fields["state"]) ?? null;
  return { run_id: fields["run_id"], what, state };
}
