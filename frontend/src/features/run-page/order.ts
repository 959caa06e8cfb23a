// The order in which a run names its operations and clocks: that of its series, which is the agent's, most important first.
import type { RunSeries } from "@/api/types";

type Line = { operation: string; clock: string };

/** Compare by the first series of the operation, then of the clock; series that the run does not define come last. */
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
