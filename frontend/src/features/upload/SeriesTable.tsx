// Series of an uploaded run: operation, clock, device, buckets and counts.
import { useQuery } from "@tanstack/react-query";
import { percentilesQuery } from "@/api/queries";
import type { Percentiles, UploadedRun, UploadedSeries } from "@/api/types";
import { clockMeaning, clockName, operationName } from "@/entities/run/words";
import { formatInteger } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { Unknown } from "@/ui/Value";
import { layoutName } from "./wording";

/** Returns the number of operations of a series; null if it is only known together with other series. */
export function operationCount(
  series: UploadedSeries,
  all: readonly UploadedSeries[],
  percentiles: Percentiles | undefined,
): number | null {
  const alike = all.filter((candidate) => candidate.operation === series.operation && candidate.clock === series.clock);
  // The series without a device is the sum over all devices.
  const isWhole = series.device === null && series.phase === "main";
  if (alike.length > 1 && !isWhole) return null;
  if (alike.filter((candidate) => candidate.device === null && candidate.phase === "main").length > 1) return null;
  const curve = percentiles?.curves.find(
    (candidate) => candidate.operation === series.operation && candidate.clock === series.clock,
  );
  return curve?.count ?? null;
}

export function SeriesTable({ run }: { run: UploadedRun }) {
  const percentiles = useQuery(percentilesQuery(run.run_id)).data;
  const columns: Columns<UploadedSeries> = [
    {
      header: "Operation",
      accessorFn: ({ operation, phase, source_name }) => (
        <>
          {operationName(operation)}
          {phase === "main" ? null : <span className="dim"> · {phase}</span>}
          {source_name === null ? null : <span className="block dim smaller">in the file: {source_name}</span>}
        </>
      ),
      meta: { onPhone: "wide" },
    },
    {
      header: "Clock",
      accessorFn: ({ clock }) => clockName(clock),
      meta: { cell: ({ clock }) => ({ title: clockMeaning(clock) }) },
    },
    { header: "Device", accessorFn: ({ device }) => device ?? <span className="dim">all</span> },
    { header: "Stored as", accessorFn: ({ layout }) => layoutName(layout) },
    { header: "Intervals", accessorFn: ({ interval_count }) => formatInteger(interval_count), meta: RIGHT },
    {
      header: "Operations",
      accessorFn: (series) => {
        const count = operationCount(series, run.series, percentiles);
        return count === null ? (
          <Unknown reason="not counted apart from the other series of this operation" />
        ) : (
          formatInteger(count)
        );
      },
      meta: RIGHT,
    },
  ];
  return (
    <DataTable label={`Series of ${run.title}`} plain="cards" maxHeight={320} columns={columns} rows={run.series} />
  );
}
