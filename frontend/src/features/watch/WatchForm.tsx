// Form of a watch: watched configuration, and recipients of its alerts.
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import * as z from "zod/mini";
import { budgetsQuery } from "@/api/sla";
import { makeWatch, type WatchRequest } from "@/api/watches";
import { unbroken } from "@/lib/format";
import { CopyButton } from "@/ui/CopyButton";
import { Failed } from "@/ui/states";

const EMPTY = { name: "", run_title: "", host_name: "", target_name: "", budget_name: "", webhook_url: "", email: "" };

/** Empty fields match any run; at least one field has to be filled. */
const SCHEMA = z
  .object({
    name: z.string().check(z.trim(), z.minLength(1, "Fill this in.")),
    run_title: z.string(),
    host_name: z.string(),
    target_name: z.string(),
  })
  .check(
    z.refine(({ run_title, host_name, target_name }) => `${run_title}${host_name}${target_name}`.trim() !== "", {
      path: ["run_title"],
      message: "Name the title, the host or the drive.",
    }),
  );

const requestOf = (fields: typeof EMPTY): WatchRequest => ({
  name: fields.name,
  budget_name: fields.budget_name,
  run_title: fields.run_title.trim() || null,
  host_name: fields.host_name.trim() || null,
  target_name: fields.target_name.trim() || null,
  webhook_url: fields.webhook_url.trim() || null,
  email: fields.email.trim() || null,
});

export function WatchForm() {
  const titleId = useId();
  const budgets = useQuery(budgetsQuery()).data?.items ?? [];
  const form = useForm({ initialValues: EMPTY, validate: schemaResolver(SCHEMA, { sync: true }) });
  const field = form.getInputProps;
  const chosen = form.values.budget_name || (budgets[0]?.document.name ?? "");
  const make = useMutation({
    mutationFn: (fields: typeof EMPTY, { client }) => makeWatch(client, requestOf({ ...fields, budget_name: chosen })),
    onSuccess: form.reset,
  });
  return (
    <form
      className="stack-12 panel no-print"
      aria-labelledby={titleId}
      onSubmit={form.onSubmit((fields) => make.mutate(fields))}
    >
      <h2 id={titleId}>Watch a configuration</h2>
      <div className="fields">
        <TextInput label="Name" placeholder="nightly drive" required maxLength={200} {...field("name")} />
        <NativeSelect
          label="Budget"
          data={[
            ...new Map(
              budgets.map((budget) => [budget.document.name, unbroken(budget.document.title || budget.document.name)]),
            ).entries(),
            ["highest-load", "Highest load that holds, of searches"] as const,
          ].map(([value, label]) => ({ value, label }))}
          {...field("budget_name")}
          value={chosen}
        />
        <TextInput label="Title of the runs" maxLength={200} {...field("run_title")} />
        <TextInput label="Host" maxLength={200} {...field("host_name")} />
        <TextInput label="Drive or server" maxLength={200} {...field("target_name")} />
        <TextInput label="Webhook" placeholder="https://" type="url" maxLength={1000} {...field("webhook_url")} />
        <TextInput label="E-mail of a member" type="email" maxLength={254} {...field("email")} />
      </div>
      <p className="dim">Name the title, the host or the drive; runs that match all of these are watched.</p>
      <Failed error={make.error} what="The watch" />
      {make.data ? (
        <p role="status" className="wrap-anywhere">
          Copy the secret of the webhook now: it is not shown again. <code>{make.data}</code>{" "}
          <CopyButton text={make.data} what="the secret" />
        </p>
      ) : null}
      <Button variant="filled" type="submit" loading={make.isPending} className="self-start">
        Watch
      </Button>
    </form>
  );
}
