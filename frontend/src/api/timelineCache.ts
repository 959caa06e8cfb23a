// Appends live ticks to the API's timeline, ordered by series and sequence number without duplicates, and limits the
// number of points.
import { COLUMN_NAMES, COLUMNS, type ColumnName } from "./tickColumns";
import type { RunSeries, Tick, Timeline, TimelineSeries, TimelineTicks } from "./types";

/** Number of points above which neighbours are merged in pairs: counts are added, extremes preserved. */
export const MOST_POINTS = 1_200;

/** State of the appended ticks: next sequence number by series, end of the snapshot by operation and clock. */
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

/** Returns the end of the run's data in nanoseconds from its start. */
export const endOfData = (timeline: Timeline): number =>
  Math.max(0, ...timeline.series.map((series) => endOf(series.ticks)));

/** Returns the marks of a new snapshot. Ticks inside it are known, whatever their sequence numbers. */
export function marksOf(timeline: Timeline): LiveMarks {
  return {
    nextSeq: new Map(),
    snapshotEndNs: new Map(timeline.series.map((series) => [lineOf(series), endOf(series.ticks)])),
  };
}

/**
 * Appends ticks to a timeline and advances `marks`. Ticks seen before or inside the snapshot are skipped. A tick after
 * a missing one is appended and sets `gap`: the caller then requests a new snapshot.
 */
export function appendTicks(
  timeline: Timeline,
  marks: LiveMarks,
  definitions: readonly RunSeries[],
  ticks: readonly Tick[],
): Appended {
  const byNumber = new Map(definitions.map((series) => [series.series_no, series]));
  // A series without a device covers all devices; the series of single devices count the same operations again.
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
  return { timeline: next, throughNs: endOfData(next), gap };
}

/** Columns of a timeline with nullable values. A column without `null` stays so when points are merged. */
type Columns = Record<ColumnName, (number | null)[]>;

const ticksOf = (of: (name: ColumnName) => (number | null)[], over: number[][]): TimelineTicks =>
  ({ ...Object.fromEntries(COLUMN_NAMES.map((name) => [name, of(name)])), over }) as TimelineTicks;

const copy = (ticks: TimelineTicks): TimelineTicks =>
  ticksOf(
    (name) => [...ticks[name]],
    ticks.over.map((column) => [...column]),
  );

/** Appends a tick, or merges it into the last point if the times are equal. Returns false if it is out of order. */
function push(ticks: TimelineTicks, tick: Tick): boolean {
  const last = ticks.start_ns.length - 1;
  const isSame = last >= 0 && ticks.start_ns[last] === tick.start_ns && ticks.duration_ns[last] === tick.duration_ns;
  // The tick is late: the next snapshot includes it in order.
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

/** Merges neighbouring points in pairs. A last point without a neighbour is unchanged. */
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
