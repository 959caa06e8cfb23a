// Every series that was read: operation, clock, device, buckets and counts.
import { useQuery } from "@tanstack/react-query";
import { percentilesQuery } from "@/api/queries";
import type { Percentiles, UploadedRun, UploadedSeries } from "@/api/types";
import { clockMeaning, clockName, operationName } from "@/entities/run/words";
import { formatInteger } from "@/lib/format";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown } from "@/ui/Value";
import classes from "./RunCard.module.css";
import { layoutName } from "./wording";

/** Operations of a series: known by itself where no other series is counted together with it. */
export function operationCount(
  series: UploadedSeries,
  all: readonly UploadedSeries[],
  percentiles: Percentiles | undefined,
): number | null {
  const alike = all.filter((candidate) => candidate.operation === series.operation && candidate.clock === series.clock);
  // The sum over all devices is the series without one; beside it the devices are parts.
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
  return (
    <ScrollRegion label={`Series of ${run.title}`} maxHeight={320}>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Clock</th>
            <th scope="col" className={classes["wideOnly"]}>
              Device
            </th>
            <th scope="col" className={classes["wideOnly"]}>
              Kept as
            </th>
            <th scope="col" className={`right ${classes["wideOnly"]}`}>
              Intervals
            </th>
            <th scope="col" className="right">
              Operations
            </th>
          </tr>
        </thead>
        <tbody>
          {run.series.map((series, index) => {
            const count = operationCount(series, run.series, percentiles);
            return (
              // Two series may have equal labels; their order never changes.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
              <tr key={index}>
                <td>
                  {operationName(series.operation)}
                  {series.phase === "main" ? null : <span className="dim"> · {series.phase}</span>}
                  {series.device === null ? null : <span className={classes["narrowOnly"]}>on {series.device}</span>}
                  {series.source_name === null ? null : (
                    <span className={classes["source"]}>in the file: {series.source_name}</span>
                  )}
                </td>
                <td title={clockMeaning(series.clock)}>{clockName(series.clock)}</td>
                <td className={classes["wideOnly"]}>{series.device ?? <span className="dim">all</span>}</td>
                <td className={classes["wideOnly"]}>{layoutName(series.layout)}</td>
                <td className={`right ${classes["wideOnly"]}`}>{formatInteger(series.interval_count)}</td>
                <td className="right">
                  {count === null ? (
                    <Unknown reason="not counted apart from the other series of this operation" />
                  ) : (
                    formatInteger(count)
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
