// Qualification suites of drives, newest first.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type SuiteSummary, suitesQuery } from "@/api/qualifications";
import { formatInteger, formatMoment } from "@/lib/format";
import { type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { MoreButton, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";

const COLUMNS: Columns<SuiteSummary> = [
  {
    header: "Suite",
    accessorFn: ({ suite_id, title }) => (
      <Link to="/qualifications/$suiteId" params={{ suiteId: suite_id }}>
        {title}
      </Link>
    ),
    meta: ROW_HEADER,
  },
  { header: "Device", accessorKey: "device" },
  { header: "Steps", accessorFn: ({ steps }) => steps.join(", ") || "not stated", meta: { onPhone: "wide" } },
  { header: "Runs", accessorFn: ({ runs, last_step }) => `${formatInteger(runs)}, last ${last_step}` },
  { header: "Begun", accessorFn: ({ began_at }) => formatMoment(began_at) },
];

export function QualificationsPage() {
  usePageTitle("Qualifications");
  const suites = useInfiniteQuery(suitesQuery());
  const rows = suites.data?.pages.flatMap((page) => page.suites);
  return (
    <div className="stack-32">
      <header>
        <h1>Qualifications</h1>
        <p>
          A suite brings a drive to steady state and measures it by the standard&#8217;s tests. It begins on the
          drive&#8217;s machine: <code>tailroom-agent qualify --device … --suite pts</code>.
        </p>
      </header>
      {rows === undefined ? (
        <QueryView query={suites} what="the suites" lines={3} height={40} />
      ) : rows.length === 0 ? (
        <p>No drive has been qualified yet.</p>
      ) : (
        <DataTable label="Qualifications" columns={COLUMNS} rows={rows} rowId="suite_id" />
      )}
      <MoreButton pages={suites} size="xs">
        Show more
      </MoreButton>
    </div>
  );
}
