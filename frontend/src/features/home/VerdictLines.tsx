// List of runs with their verdicts.
import { serverNow } from "@/api/serverClock";
import type { RunSummary } from "@/api/types";
import { RunVerdicts } from "@/entities/run/RunVerdicts";
import { Simulated } from "@/entities/run/Simulated";
import { workloadName } from "@/entities/run/words";
import { formatAgo, formatSpan, joinParts } from "@/lib/format";
import { type Columns, DataTable } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { useNow } from "@/ui/useNow";

const columnsOf = (now: number): Columns<RunSummary> => [
  {
    header: "Run",
    accessorFn: (run) => (
      <>
        <RunLink id={run.run_id} className="strong wrap-anywhere" preload="intent">
          {run.title}
        </RunLink>{" "}
        <Simulated run={run} />
        <div className="dim">
          {joinParts([
            workloadName(run.workload),
            run.host_name,
            run.measured_duration_ns !== null && run.measured_duration_ns !== 0 && formatSpan(run.measured_duration_ns),
            !run.simulated && run.started_at_known && formatAgo(now - Date.parse(run.started_at)),
          ])}
        </div>
      </>
    ),
    meta: { isRowHeader: true, width: "40%" },
  },
  {
    header: "Verdicts",
    accessorFn: (run) =>
      run.verdicts.length > 0 ? (
        <RunVerdicts run={run} />
      ) : (
        <span className="dim">{run.state === "finished" ? "No verdict yet" : "Running"}</span>
      ),
    meta: { onPhone: "wide" },
  },
];

export function VerdictLines({ runs, label }: { runs: readonly RunSummary[]; label: string }) {
  return <DataTable label={label} columns={columnsOf(useNow(serverNow, 10_000))} rows={runs} rowId="run_id" />;
}
