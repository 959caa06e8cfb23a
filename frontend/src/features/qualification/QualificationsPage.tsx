// Qualification suites of drives, newest first.
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ColumnDef } from "@tanstack/react-table";
import { type SuiteSummary, suitesQuery } from "@/api/qualifications";
import { formatInteger, formatMoment } from "@/lib/format";
import { DataTable } from "@/ui/DataTable";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import classes from "./QualificationPage.module.css";

const COLUMNS: ColumnDef<SuiteSummary, never>[] = [
  {
    id: "suite",
    header: "Suite",
    cell: ({ row: { original: suite } }) => (
      <Link to="/qualifications/$suiteId" params={{ suiteId: suite.suite_id }}>
        {suite.title}
      </Link>
    ),
    meta: { isRowHeader: true },
  },
  {
    id: "device",
    header: "Device",
    cell: ({ row }) => row.original.device,
    meta: { onPhone: "labelled", label: "Device" },
  },
  {
    id: "steps",
    header: "Steps",
    cell: ({ row }) => (row.original.steps.length === 0 ? "not stated" : row.original.steps.join(", ")),
    meta: { onPhone: "wide" },
  },
  {
    id: "runs",
    header: "Runs",
    cell: ({ row: { original: suite } }) => `${formatInteger(suite.runs)}, last ${suite.last_step}`,
    meta: { onPhone: "labelled", label: "Runs" },
  },
  {
    id: "began",
    header: "Begun",
    cell: ({ row }) => formatMoment(row.original.began_at),
    meta: { onPhone: "labelled", label: "Begun" },
  },
];

export function QualificationsPage() {
  usePageTitle("Qualifications");
  const suites = useInfiniteQuery(suitesQuery());
  const rows = suites.data?.pages.flatMap((page) => page.suites);
  return (
    <div className={classes["page"]}>
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
        <DataTable label="Qualifications" columns={COLUMNS} rows={rows} rowId={({ suite_id }) => suite_id} />
      )}
      {suites.hasNextPage ? (
        <Button size="xs" loading={suites.isFetchingNextPage} onClick={() => void suites.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </div>
  );
}
