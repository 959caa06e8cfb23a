// Quota and use of the organisation. The operator sets the limits.
import { useQuery } from "@tanstack/react-query";
import { quotaQuery } from "@/api/organisation";
import { formatBytes, formatInteger, formatPercent } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { QueryView } from "@/ui/states";
import { TabLead } from "./Section";

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

/** Returns the result of the tab: `Most used: agents, 40 % of the limit`. */
function answerText(rows: readonly Row[]): string {
  const shares = rows.flatMap(({ name, has, limit }) => (has === null || !limit ? [] : [{ name, share: has / limit }]));
  if (shares.length === 0) return "No limit is set";
  const most = shares.reduce((first, second) => (second.share > first.share ? second : first));
  if (most.share === 0) return "Nothing is used yet";
  return `Most used: ${most.name.toLowerCase()}, ${formatPercent(most.share)} of the limit`;
}

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
      <TabLead title={answerText(rows)}>
        An operator sets the limits. Beyond a limit, new runs and files are refused; a run that has begun is completed.
      </TabLead>
      <DataTable label="Quota, as a table" plain columns={COLUMNS} rows={rows} />
    </>
  );
}
