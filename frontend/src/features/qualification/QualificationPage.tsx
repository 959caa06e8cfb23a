// Qualification of a drive under the standard's headings: result, preparation, steady state, tests with plots and
// tables.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import {
  type Suite,
  type SuiteLoad,
  type SuitePlot,
  type SuiteStep,
  suiteQuery,
  suiteReportHref,
} from "@/api/qualifications";
import { ChartFigure } from "@/charts/ChartFigure";
import { Missing } from "@/entities/missing/Missing";
import { formatInteger, formatLatencyInterval, plural, sentence } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Unknown } from "@/ui/Value";
import { plotSpec, valueText } from "./plotSpec";

export function QualificationPage({ suiteId }: { suiteId: string }) {
  const query = useQuery(suiteQuery(suiteId));
  const suite = query.data;
  usePageTitle(suite?.title ?? null);
  if (suite === undefined) {
    return (
      <QueryView query={query} what="the suite" lines={4} height={96} missing={<Missing page what="qualification" />} />
    );
  }
  return <SuiteReport suite={suite} />;
}

export function SuiteReport({ suite }: { suite: Suite }) {
  return (
    <article className="stack-32">
      <header>
        <h1>{suite.answer}</h1>
        <p>{suite.title}</p>
        <Group component="p" align="stretch" wrap="nowrap" gap={16} className="no-print">
          <a href={suiteReportHref(suite.suite_id, "html")}>Report</a>
          <a href={suiteReportHref(suite.suite_id, "pdf")}>PDF</a>
        </Group>
        {suite.is_complete === false ? <p>Not complete: loads that were asked for have not been measured.</p> : null}
        {suite.unfinished === 0 ? null : (
          <p className="dim">
            {plural(suite.unfinished, "run")} cut off, still going on or still added up; no figure of them is shown.
          </p>
        )}
      </header>
      <Facts title="Device under test" facts={suite.device} />
      <Facts title="Test environment" facts={suite.host} />
      <Facts title="Preconditioning" facts={suite.preparation} />
      {suite.steps.map((step) => (
        <Step key={step.step} step={step} steady={step.step === "settle" ? suite.steady_state : null} />
      ))}
    </article>
  );
}

function Facts({ title, facts }: { title: string; facts: Suite["device"] }) {
  return (
    <Section title={title} className="stack-12">
      <dl className="tiles">
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Step({ step, steady }: { step: SuiteStep; steady: Suite["steady_state"] }) {
  const amplification = steady?.window?.write_amplification;
  return (
    <Section title={step.heading} className="stack-12">
      {steady === null ? null : <p>{sentence(steady.text)}</p>}
      {amplification === undefined ? null : <p>Write amplification in the window: {amplification.text}.</p>}
      <p className="dim">
        {step.planned === null
          ? `${plural(step.measured, "round")} measured.`
          : `${step.measured} of ${plural(step.planned, "load")} measured.`}
        {step.missed === 0
          ? null
          : ` ${plural(step.missed, "operation")} failed, timed out or did not end; in no rate.`}
      </p>
      {step.answers.map((answer) => (
        <p key={answer.run_id}>
          <strong>
            <RunLink id={answer.run_id}>{answer.load}</RunLink>: {answer.words ?? "not judged yet"}.
          </strong>{" "}
          {answer.question} {answer.headline === null ? null : sentence(`${answer.headline}.`)}{" "}
          {answer.reason === null ? null : <span className="dim">{answer.reason}</span>}
        </p>
      ))}
      {step.plots.map((plot) => (
        <Plot key={plot.title} plot={plot} />
      ))}
      {step.loads.length === 0 ? null : (
        <DataTable
          label={`${step.heading}, as a table`}
          plain
          columns={columnsOf(step)}
          rows={step.loads.flatMap((load) =>
            load.latencies.map((latency, index) => ({ load, latency, isFirst: index === 0 })),
          )}
        />
      )}
      {step.counters.length === 0 ? null : (
        <p>
          Counted by the drive, with bounds that hold for each of these runs:{" "}
          {step.counters.map(({ label, text }) => `${label.toLowerCase()} ${text}`).join("; ")}.
        </p>
      )}
    </Section>
  );
}

function Plot({ plot }: { plot: SuitePlot }) {
  const spec = useMemo(() => plotSpec(plot), [plot]);
  return spec === null ? null : <ChartFigure spec={spec} height={280} />;
}

type LoadRow = { load: SuiteLoad; latency: SuiteLoad["latencies"][number]; isFirst: boolean };

const quantile = (header: string, bounds: (latency: LoadRow["latency"]) => [number | null, number | null]) => ({
  id: header,
  header,
  accessorFn: ({ latency }: LoadRow) => {
    const [lower, upper] = bounds(latency);
    return lower === null || upper === null ? (
      <Unknown reason="too few operations" />
    ) : (
      formatLatencyInterval(lower, upper)
    );
  },
  meta: RIGHT,
});

/** Returns the columns of a step's table; cells of the load itself are filled in its first row alone. */
const columnsOf = (step: SuiteStep): Columns<LoadRow> => [
  {
    header: "Load",
    accessorFn: ({ load, isFirst }) =>
      isFirst ? <RunLink id={load.run_id}>{step.planned === null ? `Round ${load.number}` : load.text}</RunLink> : null,
    meta: ROW_HEADER,
  },
  {
    header: "Operations a second",
    accessorFn: ({ load, isFirst }) => (isFirst ? formatInteger(Math.round(load.per_s)) : null),
    meta: RIGHT,
  },
  {
    header: "Bytes a second",
    accessorFn: ({ load, isFirst }) => (isFirst ? valueText(load.bytes_per_s, "bytes_per_s") : null),
    meta: RIGHT,
  },
  { header: "Operation", accessorFn: ({ latency }) => latency.operation },
  quantile("p50", ({ p50_lower_ns, p50_upper_ns }) => [p50_lower_ns, p50_upper_ns]),
  quantile("p99", ({ p99_lower_ns, p99_upper_ns }) => [p99_lower_ns, p99_upper_ns]),
  quantile("p99.9", ({ p999_lower_ns, p999_upper_ns }) => [p999_lower_ns, p999_upper_ns]),
];
