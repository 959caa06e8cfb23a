// Page of the watched configurations: latest verdicts, delivery of alerts, and trends.
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { sessionQuery } from "@/api/queries";
import { budgetsQuery } from "@/api/sla";
import { endWatch, makeWatch, tryWatch, type Watch, type WatchRequest, watchesQuery } from "@/api/watches";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { VerdictDot } from "@/entities/verdict/VerdictDot";
import { formatMoment, plural, unbroken } from "@/lib/format";
import { CopyButton } from "@/ui/CopyButton";
import { Failed, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { TrendPanel } from "./TrendPanel";

export function WatchPage() {
  usePageTitle("Watch");
  const watches = useQuery(watchesQuery());
  const mayWatch = useQuery(sessionQuery()).data?.capabilities.includes("watch") === true;
  return (
    <div className="stack-16">
      <header className="lead">
        <h1>Watch</h1>
        <p>Every finished run is compared with its history. When the latest verdict changes, an alert is sent.</p>
      </header>
      {watches.data === undefined ? (
        <QueryView query={watches} what="the watched configurations" lines={3} height={72} />
      ) : watches.data.watches.length === 0 ? (
        <p>Nothing is watched yet.</p>
      ) : (
        watches.data.watches.map((watch) => <WatchCard key={watch.watch_id} watch={watch} mayWatch={mayWatch} />)
      )}
      {mayWatch && !watches.isPending ? <WatchForm /> : null}
    </div>
  );
}

function WatchCard({ watch, mayWatch }: { watch: Watch; mayWatch: boolean }) {
  const titleId = useId();
  const [isOpen, setOpen] = useState(false);
  const trial = useMutation({ mutationFn: (_: undefined, { client }) => tryWatch(client, watch.watch_id) });
  const end = useMutation({ mutationFn: (_: undefined, { client }) => endWatch(client, watch.watch_id) });
  const problem = trial.error ?? end.error;
  const latest = watch.results.at(-1);
  const meant = [
    watch.run_title === null ? null : `runs “${watch.run_title}”`,
    watch.host_name === null ? null : `host ${watch.host_name}`,
    watch.target_name,
  ].filter((part) => part !== null);
  return (
    <section className="stack-12 panel" aria-labelledby={titleId}>
      <div className="row">
        <h2 id={titleId}>{watch.name}</h2>
        {watch.verdict === null ? (
          <span className="dim">no run yet</span>
        ) : (
          <VerdictBadge of={{ ...watch, verdict: watch.verdict }} />
        )}
        {latest === undefined ? null : <span>{latest.statement}</span>}
      </div>
      <p className="dim">
        {meant.join(", ")}; budget {watch.budget_name}
      </p>
      {watch.results.length > 0 ? <Sparkline results={watch.results} /> : null}
      {watch.alerts.length > 0 ? (
        <ul aria-label={`Alerts of ${watch.name}`}>
          {watch.alerts.map((alert) => (
            <li key={alert.alert_id}>
              {formatMoment(alert.created_at)}, {alert.channel === "email" ? "e-mail" : "webhook"}: {stateOf(alert)}.{" "}
              {alert.text}
            </li>
          ))}
        </ul>
      ) : null}
      <Failed error={problem} what="The watch" />
      <div className="row no-print">
        {watch.results.length > 0 ? (
          <Button size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Trend
          </Button>
        ) : null}
        {mayWatch && (watch.webhook_host !== null || watch.email !== null) ? (
          <Button size="xs" loading={trial.isPending} onClick={() => trial.mutate()}>
            Send a trial alert
          </Button>
        ) : null}
        {mayWatch ? (
          <Button size="xs" aria-label={`End ${watch.name}`} loading={end.isPending} onClick={() => end.mutate()}>
            End
          </Button>
        ) : null}
      </div>
      {isOpen ? <TrendPanel watch={watch} /> : null}
    </section>
  );
}

function stateOf({ delivered_at, error, attempts }: Watch["alerts"][number]): string {
  if (delivered_at !== null) return "delivered";
  return error === null ? "on its way" : `not delivered after ${plural(attempts, "attempt")} (${error})`;
}

const STEP = 12;
const HEIGHT = 28;
const PLACES = { PASS: 7, INDETERMINATE: 14, FAIL: 21 } as const;
const WORDS = { PASS: "PASS", INDETERMINATE: "undecided", FAIL: "FAIL" } as const;

function Sparkline({ results }: { results: Watch["results"] }) {
  const count = (verdict: keyof typeof WORDS) => results.filter((result) => result.verdict === verdict).length;
  const runs = results.length === 1 ? "run" : `${results.length} runs`;
  const label = `The latest ${runs}: ${count("PASS")} PASS, ${count("FAIL")} FAIL, ${count("INDETERMINATE")} undecided`;
  const width = Math.max(1, results.length) * STEP;
  return (
    <svg
      style={{ display: "block", maxWidth: "100%" }}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={label}
    >
      {results.map((result, place) => (
        <g key={result.run_id}>
          <VerdictDot verdict={result.verdict} x={(place + 0.5) * STEP} y={PLACES[result.verdict]} />
          <title>{`${WORDS[result.verdict]}: ${result.statement}`}</title>
        </g>
      ))}
    </svg>
  );
}

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

function WatchForm() {
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
        <TextInput label="Name" placeholder="nightly drive" required withAsterisk maxLength={200} {...field("name")} />
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
