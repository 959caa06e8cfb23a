// Defines each column of a timeline: its value in a live tick, and how two points merge. A column that the API adds
// causes a type error here.
import type { Tick, TimelineTicks } from "./types";

type NumberOrNull = number | null;
type Merge = (a: NumberOrNull, b: NumberOrNull) => NumberOrNull;
type Column = {
  readonly of: (tick: Tick) => NumberOrNull;
  /** Merges values of two hosts or devices at the same time. */
  readonly atOnce: Merge;
  /** Merges values of two consecutive points. */
  readonly inTurn: Merge;
};

/** Columns with one number per point. */
export type ColumnName = Exclude<keyof TimelineTicks, "over">;

const sum: Merge = (a, b) => (a === null || b === null ? null : a + b);
const first: Merge = (a) => a;
const least: Merge = (a, b) => (a === null ? b : b === null ? a : Math.min(a, b));
const greatest: Merge = (a, b) => (a === null ? b : b === null ? a : Math.max(a, b));

const added = { atOnce: sum, inTurn: sum };
const worst = { atOnce: greatest, inTurn: greatest };

/** The server omits unknown values to shorten ticks. */
export const COLUMNS: Record<ColumnName, Column> = {
  start_ns: { of: (tick) => tick.start_ns, atOnce: first, inTurn: first },
  duration_ns: { of: (tick) => tick.duration_ns, atOnce: first, inTurn: sum },
  count: { of: (tick) => tick.count, ...added },
  errors: { of: (tick) => tick.errors, ...added },
  timeouts: { of: (tick) => tick.timeouts, ...added },
  target_count: { of: (tick) => tick.target_count, ...added },
  min_ns: { of: (tick) => tick.min_ns, atOnce: least, inTurn: least },
  max_ns: { of: (tick) => tick.max_ns, ...worst },
  lateness_p99_ns: { of: (tick) => tick.lateness_p99_ns ?? null, ...worst },
  busy_ratio: { of: (tick) => (tick.busy_ns == null ? null : tick.busy_ns / tick.duration_ns), ...worst },
  // Operations in flight at the same time add up; over several moments, the maximum counts.
  in_flight: { of: (tick) => tick.in_flight ?? null, atOnce: sum, inTurn: greatest },
  oldest_in_flight_ns: { of: (tick) => tick.oldest_in_flight_ns ?? null, ...worst },
  temperature_celsius: {
    of: (tick) => (tick.temperature_millicelsius == null ? null : tick.temperature_millicelsius / 1000),
    ...worst,
  },
};

export const COLUMN_NAMES = Object.keys(COLUMNS) as ColumnName[];
