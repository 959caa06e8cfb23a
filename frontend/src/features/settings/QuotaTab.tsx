// Quota and use of the organisation. The operator sets the limits.
import { useQuery } from "@tanstack/react-query";
import { quotaQuery } from "@/api/organisation";
import { formatBytes, formatInteger } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { QueryView } from "@/ui/QueryView";

type Row = { name: string; has: number | null; limit: number | null | undefined; write: (amount: number) => string };

const COLUMNS: Columns<Row> = [
  { header: "Of what", accessorKey: "name" },
  { header: "There is", accessorFn: ({ has, write }) => (has === null ? "" : write(has)), meta: RIGHT },
  {
    header: "There may be",
    accessorFn: ({ limit, write }) => (limit == null ? "any number" : write(limit)),
    meta: RIGHT,
  },
];

export function QuotaTab() {
  const quota = useQuery(quotaQuery());
  if (quota.data === undefined) return <QueryView query={quota} what="the quota" lines={4} height={32} />;
  const { limits, usage } = quota.data;
  const rows: Row[] = [
    { name: "Runs", has: usage.runs, limit: limits.runs, write: formatInteger },
    { name: "Uploaded files", has: usage.stored_bytes, limit: limits.stored_bytes, write: formatBytes },
    { name: "Uploads in 24 hours", has: usage.uploads_per_day, limit: limits.uploads_per_day, write: formatInteger },
    { name: "Agents", has: usage.agents, limit: limits.agents, write: formatInteger },
    { name: "Requests a minute", has: null, limit: limits.requests_per_minute, write: formatInteger },
  ];
  return (
    <>
      <p>
        An operator sets the limits. What exceeds one is refused with the reason. A run that has begun is measured to
        its end.
      </p>
      <DataTable label="Quota, as a table" plain columns={COLUMNS} rows={rows} rowId={({ name }) => name} />
    </>
  );
}
