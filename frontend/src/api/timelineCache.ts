// How live ticks join the timeline that the API gave: by series and sequence number, each once, in order, and never more
// points than a screen can show.
import type { RunSeries, Tick, Timeline, TimelineSeries, TimelineTicks } from "./types";

/** Beyond this many points neighbours are merged pairwise: counts add, extremes stay. */
export const MOST_POINTS = 1_200;

/** What was appended since the snapshot: the next sequence number by series, and where the snapshot ended by operation and clock. */
export type LiveMarks = {
  readonly nextSeq: Map<number, number>;
  readonly snapshotEndNs: Map<string, number>;
};

export type Appended = { timeline: Timeline; throughNs: number; gap: boolean };

const lineOf = (series: { operation: string; clock: string }): string => `${series.operation} ${series.clock}`;

export function endOf(ticks: TimelineTicks): number {
  const last = ticks.start_ns.length - 1;
  return last < 0 ? 0 : (ticks.start_ns[last] ?? 0) + (ticks.duration_ns[last] ?? 0);
}

/** How far the data of the run reach, from its start. */
export const reachOf = (timeline: Timeline): number =>
  Math.max(0, ...timeline.series.map((series) => endOf(series.ticks)));

/** Marks for a fresh snapshot: everything it holds is known, whatever its sequence numbers were. */
export function marksOf(timeline: Timeline): LiveMarks {
  return {
    nextSeq: new Map(),
    snapshotEndNs: new Map(timeline.series.map((series) => [lineOf(series), endOf(series.ticks)])),
  };
}

/**
 * Appends ticks to a timeline; `marks` moves on with them. A tick seen before, or inside the snapshot, is left out. A tick
 * that leaves a hole is appended and reported as a gap: the caller asks for a new snapshot.
 */
export function appendTicks(
  timeline: Timeline,
  marks: LiveMarks,
  definitions: readonly RunSeries[],
  ticks: readonly Tick[],
): Appended {
  const byNumber = new Map(definitions.map((series) => [series.series_no, series]));
  // A series that names no device speaks of all of them; those of the devices count the same operations.
  const wholes = new Set(definitions.filter((one) => one.kind === "tick" && one.device === null).map(lineOf));
  const grown = new Map<string, TimelineTicks>();
  let gap = false;

  for (const tick of [...ticks].sort((a, b) => a.start_ns - b.start_ns || a.series_no - b.series_no)) {
    const definition = byNumber.get(tick.series_no);
    if (definition === undefined) {
      gap = true;
      continue;
    }
    const line = lineOf(definition);
    if (definition.device !== null && wholes.has(line)) continue;
    const target = timeline.series.find((series) => lineOf(series) === line);
    if (target === undefined) {
      gap = true;
      continue;
    }
    const expected = marks.nextSeq.get(tick.series_no);
    if (expected !== undefined && tick.seq < expected) continue;
    if (expected !== undefined && tick.seq > expected) gap = true;
    marks.nextSeq.set(tick.series_no, tick.seq + 1);

    const snapshotEnd = marks.snapshotEndNs.get(line) ?? 0;
    if (tick.start_ns + tick.duration_ns <= snapshotEnd) continue;
    const columns = grown.get(line) ?? copy(target.ticks);
    grown.set(line, columns);
    const end = endOf(columns);
    if (expected === undefined && tick.start_ns > Math.max(snapshotEnd, end)) gap = true;
    if (!push(columns, tick)) gap = true;
  }

  const series = timeline.series.map((one): TimelineSeries => {
    const columns = grown.get(lineOf(one));
    return columns === undefined
      ? one
      : { ...one, ticks: columns.start_ns.length > MOST_POINTS ? halve(columns) : columns };
  });
  const next = grown.size === 0 ? timeline : { ...timeline, series };
  return { timeline: next, throughNs: reachOf(next), gap };
}

type Condition = "lateness_p99_ns" | "busy_ratio" | "in_flight" | "oldest_in_flight_ns" | "temperature_celsius";

/** What a tick says about the generator and the drive, in the units of the timeline. */
const conditionsOf = (tick: Tick): Record<Condition, number | null> => ({
  lateness_p99_ns: tick.lateness_p99_ns,
  busy_ratio: tick.busy_ns === null ? null : tick.busy_ns / tick.duration_ns,
  in_flight: tick.in_flight,
  oldest_in_flight_ns: tick.oldest_in_flight_ns,
  temperature_celsius: tick.temperature_millicelsius === null ? null : tick.temperature_millicelsius / 1000,
});

const copy = (ticks: TimelineTicks): TimelineTicks => ({
  start_ns: [...ticks.start_ns],
  duration_ns: [...ticks.duration_ns],
  count: [...ticks.count],
  errors: [...ticks.errors],
  timeouts: [...ticks.timeouts],
  target_count: [...ticks.target_count],
  min_ns: [...ticks.min_ns],
  max_ns: [...ticks.max_ns],
  over: ticks.over.map((column) => [...column]),
  lateness_p99_ns: [...ticks.lateness_p99_ns],
  busy_ratio: [...ticks.busy_ratio],
  in_flight: [...ticks.in_flight],
  oldest_in_flight_ns: [...ticks.oldest_in_flight_ns],
  temperature_celsius: [...ticks.temperature_celsius],
});

/** Adds one tick at the end, or to the last point when it covers the same second of another host or device. */
function push(columns: TimelineTicks, tick: Tick): boolean {
  const last = columns.start_ns.length - 1;
  const conditions = Object.entries(conditionsOf(tick)) as [Condition, number | null][];
  if (last >= 0 && columns.start_ns[last] === tick.start_ns && columns.duration_ns[last] === tick.duration_ns) {
    columns.count[last] = (columns.count[last] ?? 0) + tick.count;
    columns.errors[last] = (columns.errors[last] ?? 0) + tick.errors;
    columns.timeouts[last] = (columns.timeouts[last] ?? 0) + tick.timeouts;
    columns.target_count[last] = sum(columns.target_count[last] ?? null, tick.target_count);
    columns.min_ns[last] = least(columns.min_ns[last] ?? null, tick.min_ns);
    columns.max_ns[last] = greatest(columns.max_ns[last] ?? null, tick.max_ns);
    for (const [index, column] of columns.over.entries()) column[last] = (column[last] ?? 0) + (tick.pins[index] ?? 0);
    for (const [name, value] of conditions) {
      // Operations under way at the same moment add up; everything else is as bad as the worst.
      const merge = name === "in_flight" ? sum : greatest;
      columns[name][last] = merge(columns[name][last] ?? null, value);
    }
    return true;
  }
  // Late for its place: the next snapshot puts it right.
  if (tick.start_ns < endOf(columns)) return false;
  columns.start_ns.push(tick.start_ns);
  columns.duration_ns.push(tick.duration_ns);
  columns.count.push(tick.count);
  columns.errors.push(tick.errors);
  columns.timeouts.push(tick.timeouts);
  columns.target_count.push(tick.target_count);
  columns.min_ns.push(tick.min_ns);
  columns.max_ns.push(tick.max_ns);
  for (const [index, column] of columns.over.entries()) column.push(tick.pins[index] ?? 0);
  for (const [name, value] of conditions) columns[name].push(value);
  return true;
}

/** Merges neighbours pairwise; an odd last point stays as it is. */
export function halve(ticks: TimelineTicks): TimelineTicks {
  const pairs = <Value>(column: readonly Value[], merge: (a: Value, b: Value) => Value): Value[] => {
    const merged: Value[] = [];
    for (let index = 0; index < column.length; index += 2) {
      const first = column[index] as Value;
      merged.push(index + 1 < column.length ? merge(first, column[index + 1] as Value) : first);
    }
    return merged;
  };
  const add = (a: number, b: number): number => a + b;
  return {
    start_ns: pairs(ticks.start_ns, (a) => a),
    duration_ns: pairs(ticks.duration_ns, add),
    count: pairs(ticks.count, add),
    errors: pairs(ticks.errors, add),
    timeouts: pairs(ticks.timeouts, add),
    target_count: pairs(ticks.target_count, sum),
    min_ns: pairs(ticks.min_ns, least),
    max_ns: pairs(ticks.max_ns, greatest),
    over: ticks.over.map((column) => pairs(column, add)),
    lateness_p99_ns: pairs(ticks.lateness_p99_ns, greatest),
    busy_ratio: pairs(ticks.busy_ratio, greatest),
    in_flight: pairs(ticks.in_flight, greatest),
    oldest_in_flight_ns: pairs(ticks.oldest_in_flight_ns, greatest),
    temperature_celsius: pairs(ticks.temperature_celsius, greatest),
  };
}

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));
const greatest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b);
