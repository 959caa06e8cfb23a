// Form of the quotas of one organisation; an empty field means no limit.
import { Button, NumberInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type Limits, type Operations, type OperatorToken, setQuota } from "@/api/operations";
import { Failed } from "@/ui/states";

type Organisation = Operations["organisations"][number];
type QuotaFormProps = { organisation: Organisation; token: OperatorToken; onDone: () => void };

const MIB = 1024 * 1024;
const FIELDS = [
  { key: "runs", label: "Runs", unit: 1, least: 0 },
  { key: "stored_bytes", label: "Uploaded files in MiB", unit: MIB, least: 0 },
  { key: "uploads_per_day", label: "Uploads in 24 hours", unit: 1, least: 0 },
  { key: "agents", label: "Agents", unit: 1, least: 0 },
  { key: "requests_per_minute", label: "Requests a minute", unit: 1, least: 1 },
] as const satisfies readonly { key: keyof Limits; label: string; unit: number; least: number }[];

export function QuotaForm({ organisation, token, onDone }: QuotaFormProps) {
  const form = useForm<Record<string, number | string>>({
    initialValues: Object.fromEntries(
      FIELDS.map(({ key, unit }) => [key, organisation.limits[key] == null ? "" : organisation.limits[key] / unit]),
    ),
  });
  const store = useMutation({
    mutationFn: (fields: typeof form.values, { client }) =>
      setQuota(client, token, organisation.organisation_id, {
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
