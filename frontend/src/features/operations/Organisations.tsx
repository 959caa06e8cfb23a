// Stored amounts per organisation, the largest first.
import { Button, NumberInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Limits, type Operations, setQuota } from "@/api/operations";
import { formatBytes, formatInteger, formatMoment } from "@/lib/format";
import { RowButton } from "@/ui/ConfirmDialog";
import { NAME_CELL, RIGHT } from "@/ui/DataTable";
import { Failed } from "@/ui/states";
import { Part } from "./Part";

const quotaAction = ({ limits }: Operations["organisations"][number]): string =>
  Object.values(limits).some((limit) => limit !== null) ? "Change" : "Set";

export function Organisations({ operations }: { operations: Operations }) {
  const { organisations, organisation_count } = operations;
  const more = organisation_count - organisations.length;
  const [edited, setEdited] = useState<string | null>(null);
  const chosen = organisations.find(({ organisation_id }) => organisation_id === edited);
  return (
    <>
      <Part
        title={more > 0 ? `Organisations, the ${organisations.length} largest` : "Organisations"}
        rows={organisations}
        rowId="organisation_id"
        rowAttributes={({ organisation_id }) => ({ title: organisation_id })}
        columns={[
          { header: "Organisation", accessorKey: "name", meta: NAME_CELL },
          { header: "Members", accessorFn: ({ members }) => formatInteger(members), meta: RIGHT },
          { header: "Runs", accessorFn: ({ runs }) => formatInteger(runs), meta: RIGHT },
          { header: "Running", accessorFn: ({ running }) => formatInteger(running), meta: RIGHT },
          { header: "Uploads", accessorFn: ({ uploads }) => formatInteger(uploads), meta: RIGHT },
          { header: "Files", accessorFn: ({ raw_bytes }) => formatBytes(raw_bytes), meta: RIGHT },
          {
            header: "Last run",
            accessorFn: ({ last_run_at }) => (last_run_at === null ? "" : formatMoment(last_run_at)),
          },
          {
            header: "Quota",
            accessorFn: (organisation) => (
              <RowButton
                label={quotaAction(organisation)}
                name={`${quotaAction(organisation)} the quota of ${organisation.name}`}
                onClick={() => setEdited(organisation.organisation_id)}
              />
            ),
          },
        ]}
      />
      {chosen === undefined ? null : (
        <QuotaForm key={chosen.organisation_id} organisation={chosen} onDone={() => setEdited(null)} />
      )}
    </>
  );
}

type Organisation = Operations["organisations"][number];
type QuotaFormProps = { organisation: Organisation; onDone: () => void };

const MIB = 1024 * 1024;
const FIELDS = [
  { key: "runs", label: "Runs", unit: 1, least: 0 },
  { key: "stored_bytes", label: "Uploaded files in MiB", unit: MIB, least: 0 },
  { key: "uploads_per_day", label: "Uploads in 24 hours", unit: 1, least: 0 },
  { key: "agents", label: "Agents", unit: 1, least: 0 },
  { key: "requests_per_minute", label: "Requests a minute", unit: 1, least: 1 },
] as const satisfies readonly { key: keyof Limits; label: string; unit: number; least: number }[];

function QuotaForm({ organisation, onDone }: QuotaFormProps) {
  const form = useForm<Record<string, number | string>>({
    initialValues: Object.fromEntries(
      FIELDS.map(({ key, unit }) => [key, organisation.limits[key] == null ? "" : organisation.limits[key] / unit]),
    ),
  });
  const store = useMutation({
    mutationFn: (fields: typeof form.values, { client }) =>
      setQuota(client, organisation.organisation_id, {
        ...organisation.limits,
        ...Object.fromEntries(
          FIELDS.map(({ key, unit }) => [key, fields[key] === "" ? null : Math.round(Number(fields[key]) * unit)]),
        ),
      }),
    onSuccess: onDone,
  });
  return (
    <form className="form panel" onSubmit={form.onSubmit((fields) => store.mutate(fields))}>
      <h2>Quota of {organisation.name}</h2>
      <p>An empty field is no limit. Existing runs and files stay.</p>
      {FIELDS.map(({ key, label, least }) => (
        <NumberInput key={key} label={label} min={least} {...form.getInputProps(key)} />
      ))}
      <Failed error={store.error} what="The quota" />
      <div className="row">
        <Button variant="filled" type="submit" loading={store.isPending}>
          Store the limits
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
