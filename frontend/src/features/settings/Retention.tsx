// Retention per kind of data: the operator's setting, which owners can shorten.
import { NumberInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type RetentionDays, retentionQuery, setRetention } from "@/api/organisation";
import { formatInteger } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { SubmitButton } from "@/ui/SubmitButton";
import { QueryView } from "@/ui/states";
import { TabLead } from "./Section";

const KINDS = [
  { key: "tick_days", what: "Seconds, as they are shown live", after: "Nothing is judged by them." },
  {
    key: "interval_days",
    what: "Intervals with their histograms",
    after: "Minutes and hours are added up from them first.",
  },
  { key: "minute_days", what: "Minutes: the course over time", after: "Hours, percentiles and whole runs stay." },
  { key: "raw_file_days", what: "Uploaded files", after: "Runs that were read from them stay." },
] as const satisfies readonly { key: keyof RetentionDays; what: string; after: string }[];

const inDays = (days: number | null) => (days === null ? "no end" : `${formatInteger(days)} days`);

type Row = { what: string; stays: string; after: string };

const COLUMNS: Columns<Row> = [
  { header: "What", accessorKey: "what" },
  { header: "Stays for", accessorKey: "stays", meta: RIGHT },
  { header: "Then", accessorKey: "after" },
];

export function Retention({ mayEdit }: { mayEdit: boolean }) {
  const retention = useQuery(retentionQuery());
  if (retention.data === undefined) return <QueryView query={retention} what="the retention" lines={4} height={32} />;
  const { holds, longest, wanted } = retention.data;
  const rows = KINDS.map(({ key, what, after }): Row => ({ what, stays: inDays(holds[key]), after }));
  return (
    <>
      <TabLead title="Runs, hours, verdicts and the audit trail stay until you delete them">
        Details go earlier, counted from the last data of a run. No verdict changes.
      </TabLead>
      <DataTable label="Retention, as a table" plain columns={COLUMNS} rows={rows} />
      {mayEdit ? <DaysForm key={JSON.stringify(wanted)} longest={longest} wanted={wanted} /> : null}
    </>
  );
}

function DaysForm({ longest, wanted }: { longest: RetentionDays; wanted: RetentionDays }) {
  const form = useForm({
    initialValues: wanted,
    // An empty field is an empty string, which the API expects as null.
    transformValues: (days) =>
      Object.fromEntries(
        KINDS.map(({ key }) => [key, typeof days[key] === "number" ? days[key] : null]),
      ) as RetentionDays,
  });
  const store = useMutation({ mutationFn: (days: RetentionDays, { client }) => setRetention(client, days) });
  return (
    <details className="panel">
      <summary>Delete details earlier</summary>
      <form className="form" onSubmit={form.onSubmit((days) => store.mutate(days))}>
        <p>Deleted details do not come back. Without a number, the limit of this installation holds.</p>
        {KINDS.map(({ key, what }) => (
          <NumberInput
            key={key}
            label={`${what}, days`}
            description={longest[key] === null ? "No limit in this installation" : `At most ${inDays(longest[key])}`}
            min={1}
            max={longest[key] ?? 36_500}
            allowDecimal={false}
            {...form.getInputProps(key)}
            value={form.values[key] ?? ""}
          />
        ))}
        <SubmitButton mutation={store} what="The retention" variant="default">
          Store the days
        </SubmitButton>
      </form>
    </details>
  );
}
