// Rows of the run list, which are cards on narrow screens.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { loadSearchQuery, type RunSort } from "@/api/queries";
import { serverNow } from "@/api/serverClock";
import type { RunSummary } from "@/api/types";
import { CompareLink } from "@/entities/comparison/CompareLink";
import { RunVerdicts } from "@/entities/run/RunVerdicts";
import { Simulated } from "@/entities/run/Simulated";
import { hasQuestion, PHASE_KINDS, plannedEnd, workloadName } from "@/entities/run/words";
import { formatAgo, formatMoment, formatRate, formatSpan } from "@/lib/format";
import { type Columns, DataTable } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { useNow } from "@/ui/useNow";
import { Unknown } from "@/ui/Value";
import type { SortField } from "./address";

/** Values that cells need besides their run. */
type ColumnContext = { now: number; own: boolean; probes: ReadonlyMap<string, string> };

/** Returns the columns; ids of sortable columns are the API's sort fields. */
const columnsOf = ({ now, own, probes }: ColumnContext): Columns<RunSummary> => [
  {
    id: "title",
    header: "Run",
    sortDescFirst: false,
    accessorFn: (run) => <Name run={run} />,
    meta: { isRowHeader: true, width: "28%" },
  },
  { id: "workload", header: "Workload", sortDescFirst: false, accessorFn: (run) => workloadName(run.workload) },
  {
    id: "state",
    header: "State",
    sortDescFirst: false,
    accessorFn: (run) => <State run={run} />,
    meta: { width: "9%", onPhone: "lead" },
  },
  {
    id: "verdict",
    header: own ? "My question" : "Verdicts",
    enableSorting: !own,
    accessorFn: (run) => <Verdicts run={run} own={own} />,
    meta: { width: "33%", onPhone: "wide" },
  },
  { id: "started", header: "Started", accessorFn: (run) => <StartTime run={run} now={now} />, meta: { width: "11%" } },
  { id: "duration", header: "Duration", accessorFn: (run) => <Duration run={run} />, meta: { width: "8%" } },
  ...(probes.size === 0
    ? []
    : [
        {
          id: "holds",
          header: "Holds up to",
          enableSorting: false,
          accessorFn: (run: RunSummary) => <HoldsUpTo run={run} probes={probes} />,
        },
      ]),
];

/** Returns one run per load search, by search id: all probes return the same search, so one request is enough. */
function probesOf(runs: readonly RunSummary[]): ReadonlyMap<string, string> {
  const probes = new Map<string, string>();
  for (const { probe, run_id: runId } of runs) if (probe !== null) probes.set(probe.search_id, runId);
  return probes;
}

type RunTableProps = {
  runs: readonly RunSummary[];
  sort: RunSort;
  /** Whether verdicts are on the reader's question, by which the API cannot sort. */
  own: boolean;
  onSort: (sort: RunSort) => void;
};

export function RunTable({ runs, sort, own, onSort }: RunTableProps) {
  const now = useNow(serverNow, 10_000);
  const sorting = [{ id: sort.replace("-", ""), desc: sort.startsWith("-") }];
  return (
    <DataTable
      label="Runs"
      columns={columnsOf({ now, own, probes: probesOf(runs) })}
      rows={runs}
      rowId="run_id"
      sorting={sorting}
      isSortedByServer
      onSorting={(change) => {
        const [next] = typeof change === "function" ? change(sorting) : change;
        if (next !== undefined) onSort(`${next.desc ? "-" : ""}${next.id as SortField}`);
      }}
    />
  );
}

function Name({ run }: { run: RunSummary }) {
  return (
    <>
      <RunLink id={run.run_id} className="small strong wrap-anywhere" preload="intent">
        {run.title}
      </RunLink>{" "}
      <Simulated run={run} />
      <Group align="stretch" gap="2px 8px" className="dim">
        {run.host_name ?? ""}
        <LadderMark run={run} /> <CompareLink subject={`run:${run.run_id}`} name={run.title} />
      </Group>
    </>
  );
}

/** Shows the step of a ladder or the probe of a search; null for other runs. */
function LadderMark({ run }: { run: RunSummary }) {
  const { probe, ladder } = run;
  const text =
    probe !== null
      ? `search, probe ${probe.step}`
      : ladder &&
        (ladder.step_count === null ? `ladder, step ${ladder.step}` : `ladder ${ladder.step} of ${ladder.step_count}`);
  if (text === null) return null;
  return (
    <span className="nowrap dim smaller num tag self-start" style={{ lineHeight: "18px" }}>
      {text}
    </span>
  );
}

/** Shows the highest load that holds by all probes of the run's search. */
function HoldsUpTo({ run, probes }: { run: RunSummary; probes: ColumnContext["probes"] }) {
  const searchId = run.probe?.search_id ?? "";
  const search = useQuery({ ...loadSearchQuery(probes.get(searchId) ?? ""), enabled: probes.has(searchId) });
  if (run.probe === null) return null;
  if (search.data === undefined)
    return <Unknown reason={search.error === null ? "being judged" : search.error.message} />;
  const { passed_per_s: passed, failed_per_s: failed } = search.data;
  if (passed === null) return <Unknown reason={failed === null ? "no load is decided" : "no load holds"} />;
  return (
    <>
      {failed === null ? "at least " : null}
      {formatRate(passed)}
      <Group align="stretch" gap="2px 8px" className="dim">
        {run.probe.objective}
      </Group>
    </>
  );
}

function State({ run }: { run: RunSummary }) {
  if (run.state === "finished") return <>{run.outcome ?? "finished"}</>;
  return (
    <span className="icon-text strong" style={{ color: "var(--accent)" }}>
      <span className="dot" aria-hidden="true" />
      {run.state === "running" ? "live" : "finishing"}
    </span>
  );
}

function Verdicts({ run, own }: { run: RunSummary; own: boolean }) {
  if (run.verdicts.length === 0 && own) return <Unknown reason="my question is not judged yet" />;
  if (run.verdicts.length === 0 && run.phase_kind !== null)
    return (
      <span className="dim">
        {PHASE_KINDS[run.phase_kind]}: not judged, because its operations are not requests of users
      </span>
    );
  if (run.verdicts.length === 0) {
    const judged = run.state === "finished" ? "not judged" : "not judged yet";
    return <Unknown reason={hasQuestion(run) ? judged : "no built-in question is about this workload"} />;
  }
  return <RunVerdicts run={run} />;
}

/** Shows the start of a run; a simulated run has none. */
function StartTime({ run, now }: { run: RunSummary; now: number }) {
  if (run.simulated) return <Unknown reason="simulated: it never ran" />;
  if (!run.started_at_known) return <span title={`uploaded ${formatMoment(run.started_at)}`}>not stated</span>;
  return <span title={formatMoment(run.started_at)}>{formatAgo(now - Date.parse(run.started_at))}</span>;
}

function Duration({ run }: { run: RunSummary }) {
  const planned = plannedEnd(run);
  if (run.measured_duration_ns === 0) return <>not stated</>;
  if (run.measured_duration_ns === null) return <span className="num">{planned} planned</span>;
  return (
    <span className="num" title={`${planned} planned`}>
      {formatSpan(run.measured_duration_ns)}
    </span>
  );
}
