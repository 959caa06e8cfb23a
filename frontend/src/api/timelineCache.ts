// How live ticks join the timeline that the API gave: by series and sequence number, each once, in order, and never more
// points than a screen can show.
import { COLUMN_NAMES, COLUMNS, type ColumnName } from "./tickColumns";
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

function endOf(ticks: TimelineTicks): number {
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
  const wholes = new Set(
    definitions.filter((definition) => definition.kind === "tick" && definition.device === null).map(lineOf),
  );
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

  const series = timeline.series.map((earlier): TimelineSeries => {
    const columns = grown.get(lineOf(earlier));
    return columns === undefined
      ? earlier
      : { ...earlier, ticks: columns.start_ns.length > MOST_POINTS ? halve(columns) : columns };
  });
  const next = grown.size === 0 ? timeline : { ...timeline, series };
  return { timeline: next, throughNs: reachOf(next), gap };
}

/** The columns of a timeline, each with one kind of number; a value known for every point stays known when points are merged. */
type Columns = Record<ColumnName, (number | null)[]>;

const ticksOf = (of: (name: ColumnName) => (number | null)[], over: number[][]): TimelineTicks =>
  ({ ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, of(name)])), over }) as TimelineTicks;

const copy = (ticks: TimelineTicks): TimelineTicks =>
  ticksOf(
    (name) => [...ticks[name]],
    ticks.over.map((column) => [...column]),
  );

/** Adds one tick at the end, or to the last point when it covers the same second of another host or device. */
function push(ticks: TimelineTicks, tick: Tick): boolean {
  const last = ticks.start_ns.length - 1;
  const isSame = last >= 0 && ticks.start_ns[last] === tick.start_ns && ticks.duration_ns[last] === tick.duration_ns;
  // Late for its place: the next snapshot puts it right.
  if (!isSame && tick.start_ns < endOf(ticks)) return false;
  const place = isSame ? last : last + 1;
  const into: Columns = ticks;
  for (const name of COLUMN_NAMES) {
    const { of, atOnce } = COLUMNS[name];
    into[name][place] = isSame ? atOnce(into[name][last] ?? null, of(tick)) : of(tick);
  }
  for (const [index, column] of ticks.over.entries()) {
    column[place] = (isSame ? (column[last] ?? 0) : 0) + (tick.pins[index] ?? 0);
  }
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
  return ticksOf(
    (name) => pairs<number | null>(ticks[name], COLUMNS[name].inTurn),
    ticks.over.map((column) => pairs(column, (a, b) => a + b)),
  );
}
