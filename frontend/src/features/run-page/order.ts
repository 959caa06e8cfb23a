// Order of operations and clocks: that of the run's series, which the agent sorts by importance.
import type { RunSeries } from "@/api/types";

type Line = { operation: string; clock: string };

/** Returns a comparator by operation, then clock, in series order; unknown series come last. */
export function bySeries(series: readonly RunSeries[]): (a: Line, b: Line) => number {
  const first = (matches: (candidate: RunSeries) => boolean): number => {
    const index = series.findIndex(matches);
    return index < 0 ? series.length : index;
  };
  const place = (line: Line): number =>
    first((candidate) => candidate.operation === line.operation) * (series.length + 1) +
    first((candidate) => candidate.operation === line.operation && candidate.clock === line.clock);
  return (a, b) => place(a) - place(b);
}
