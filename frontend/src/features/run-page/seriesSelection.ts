// Selection of the shown series: from the address, otherwise that of the first verdict, by response time if recorded.
import type { PercentileCurve, Percentiles, RunDetail, RunSeries, TimelineSeries } from "@/api/types";

type SeriesChoice = { operation?: string; clock?: string };
type Selection<Series> = {
  readonly operations: readonly string[];
  readonly operation: string | undefined;
  readonly clocks: readonly string[];
  readonly series: Series | undefined;
  /** One series per operation, by response time if recorded. */
  readonly all: readonly Series[];
};
export type SeriesSelection = Selection<TimelineSeries>;

/** Returns the default operation: that of the first verdict, otherwise the first; undefined without operations. */
function defaultOperation(run: RunDetail, operations: readonly string[]): string | undefined {
  const judged = run.verdicts.flatMap((verdict) => [
    verdict.exceedance?.operation,
    verdict.transaction?.measured?.operation,
  ]);
  return judged.find((operation) => operation !== undefined && operations.includes(operation)) ?? operations[0];
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

type SeriesName = Pick<TimelineSeries, "operation" | "clock">;

/** Returns the percentile curve of an operation by a clock; null without one. */
export function curveOf(
  percentiles: Percentiles | null,
  name: { operation: string; clock: string } | null,
): PercentileCurve | null {
  return (
    percentiles?.curves.find(({ operation, clock }) => operation === name?.operation && clock === name.clock) ?? null
  );
}

/** Returns the operation and clock that the page will show, before the timeline has arrived; null without series. */
export function selectSeriesName(run: RunDetail, choice: SeriesChoice): SeriesName | null {
  const measured = run.series.filter((series) => series.kind === "histogram");
  return selectSeries(run, measured.length > 0 ? measured : run.series, choice).series ?? null;
}

export function selectSeries<Series extends SeriesName>(
  run: RunDetail,
  candidates: readonly Series[],
  choice: SeriesChoice,
): Selection<Series> {
  const ordered = [...candidates].sort(bySeries(run.series));
  const operations = unique(ordered.map((series) => series.operation));
  const operation =
    choice.operation !== undefined && operations.includes(choice.operation)
      ? choice.operation
      : defaultOperation(run, operations);
  const clocks = unique(ordered.filter((series) => series.operation === operation).map((series) => series.clock));
  const clock =
    choice.clock !== undefined && clocks.includes(choice.clock)
      ? choice.clock
      : (clocks.find((candidate) => candidate === "response") ?? clocks[0]);
  const series = candidates.find((candidate) => candidate.operation === operation && candidate.clock === clock);
  const all = operations.flatMap((name) => {
    const own = ordered.filter((candidate) => candidate.operation === name);
    return (own.find((candidate) => candidate.clock === "response") ?? own[0]) || [];
  });
  return { operations, operation, clocks, series, all };
}

/** Returns a comparator by operation, then clock, in series order; unknown series come last. */
export function bySeries(series: readonly RunSeries[]): (a: SeriesName, b: SeriesName) => number {
  const first = (matches: (candidate: RunSeries) => boolean): number => {
    const index = series.findIndex(matches);
    return index < 0 ? series.length : index;
  };
  const place = (line: SeriesName): number =>
    first((candidate) => candidate.operation === line.operation) * (series.length + 1) +
    first((candidate) => candidate.operation === line.operation && candidate.clock === line.clock);
  return (a, b) => place(a) - place(b);
}
