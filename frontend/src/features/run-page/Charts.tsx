// Charts of a run. Operation, clock and scale apply to all charts and are in the address.
import { Group, SegmentedControl } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import type { PercentileCurve, Percentiles, RunDetail, TransactionFinding } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import type { ChartSpec } from "@/charts/spec";
import { Term } from "@/entities/glossary/Term";
import type { TermId } from "@/entities/glossary/terms";
import { isDrawable, percentileSpec } from "@/entities/run/percentileSpec";
import { shareSpec } from "@/entities/run/shareSpec";
import { clockMeaning, clockName, operationName } from "@/entities/run/words";
import { transactionTimeSpec } from "@/entities/verdict/transactionTime";
import { Empty } from "@/ui/states";
import type { RunChange, RunView } from "./address";
import { Heatmap } from "./heatmap/Heatmap";
import classes from "./RunPage.module.css";
import { curveOf, type SeriesSelection } from "./seriesSelection";
import { latencySpec } from "./specs/latencySpec";
import { rateSpec } from "./specs/rateSpec";

type ChartsProps = {
  run: RunDetail;
  selection: SeriesSelection;
  percentiles: Percentiles | null;
  reachNs: number;
  view: RunView;
  onView: (change: RunChange) => void;
  live: boolean;
  /** Table of shares, shown below the latencies. */
  shares: ReactNode;
};

export function Charts({ run, selection, percentiles, reachNs, view, onView, live, shares }: ChartsProps) {
  const { clocks, series } = selection;
  const scale = view.scale ?? "auto";
  const plannedNs = run.planned_duration_ns;

  const overTime = useMemo(() => {
    if (series === undefined) return null;
    const span = { plannedNs, live };
    return {
      latency: latencySpec(series, span, reachNs, scale),
      rate: rateSpec(series, span, reachNs, run.closed_loop),
      share: series.pin_thresholds_ns.length === 0 ? null : shareSpec(series, span, reachNs),
    };
  }, [series, plannedNs, live, reachNs, scale, run.closed_loop]);

  const drawable = useMemo(() => percentiles?.curves.filter(isDrawable) ?? [], [percentiles]);
  // A run without time series may have percentile curves.
  const operations =
    series === undefined ? [...new Set(drawable.map((curve) => curve.operation))] : selection.operations;
  const operation = series?.operation ?? operations.find((candidate) => candidate === view.operation) ?? operations[0];
  const limits = series?.limits;
  const curve = useMemo(() => {
    const curves = drawable.filter((candidate) => candidate.operation === operation);
    if (operation === undefined || curves.length === 0) return null;
    return percentileSpec(operation, curves, limits ?? [], scale);
  }, [drawable, operation, limits, scale]);

  const transaction = useMemo(() => {
    const finding = run.verdicts.find((verdict) => verdict.transaction !== null)?.transaction ?? null;
    if (finding === null || finding.cdf.length === 0) return null;
    return transactionSpec(finding, curveOf(percentiles, finding.measured));
  }, [run.verdicts, percentiles]);

  if (operation === undefined) {
    return (
      <Empty title={live ? "Nothing measured yet" : "No distribution to draw"}>
        <p>
          {live
            ? "The charts begin with the first second of data."
            : run.source === "upload"
              ? "The file states figures, but no latencies that could be drawn."
              : "The run ended before its first interval arrived."}
        </p>
      </Empty>
    );
  }

  const suffix = run.run_id.slice(-8);
  return (
    <>
      <h2 className="visually-hidden">Measurements</h2>
      <section className="row no-print" style={{ columnGap: 24 }} aria-label="What the charts show">
        <Choice
          label="Operation"
          value={operation}
          choices={operations.map((value) => ({ value, label: operationName(value) }))}
          onChange={(value) => onView({ operation: value })}
        />
        {series === undefined ? null : (
          <>
            <Choice
              label="Clock"
              value={series.clock}
              choices={clocks.map((clock) => ({ value: clock, label: clockName(clock) }))}
              onChange={(value) => onView({ clock: value as RunView["clock"] })}
              title={clockMeaning(series.clock)}
              term={
                series.clock === "service" ? "service-time" : series.clock === "response" ? "response-time" : undefined
              }
            />
            <Choice
              label="Latency axis"
              value={scale}
              choices={["auto", "linear", "log"].map((value) => ({ value, label: value }))}
              onChange={(value) => onView({ scale: value === "auto" ? undefined : (value as "linear" | "log") })}
            />
          </>
        )}
      </section>
      <div id="latency" className={`stack-24 ${classes["section"]}`}>
        <div className="halves" style={{ gap: "40px 32px" }}>
          {transaction === null ? null : <ChartFigure spec={transaction} fileSuffix={suffix} />}
          {curve === null ? null : <ChartFigure spec={curve} fileSuffix={suffix} />}
        </div>
        {series === undefined ? null : (
          <>
            <Heatmap
              key={`${series.operation} ${series.clock}`}
              runId={run.run_id}
              series={series}
              view={view}
              onView={onView}
              live={live}
            />
            {shares}
          </>
        )}
      </div>
      {overTime === null ? (
        <section id="over-time" className={`stack-24 ${classes["section"]}`} aria-label="Over time">
          <h2>When it was slow is not in this file</h2>
          <p>{COURSE_OF[run.tool ?? ""] ?? "It holds the whole run only. A log with times would show the course."}</p>
        </section>
      ) : (
        <div id="over-time" className={`stack-24 ${classes["section"]}`}>
          {run.removed === "minutes" && overTime.latency.rows.length === 0 ? (
            <Empty title="The course over time is no longer stored">
              <p>The minutes of this run were deleted after their retention. Verdicts, percentiles and hours stay.</p>
            </Empty>
          ) : null}
          <div className="halves" style={{ gap: "40px 32px" }}>
            <ChartFigure spec={overTime.latency} fileSuffix={suffix} />
            {overTime.share === null ? null : (
              <ChartFigure key={`${series?.operation} ${series?.clock}`} spec={overTime.share} fileSuffix={suffix} />
            )}
            <ChartFigure spec={overTime.rate} fileSuffix={suffix} />
          </div>
        </div>
      )}
    </>
  );
}

/** Returns the chart of a transaction's time from a verdict, with the measured transactions if there are any. */
export function transactionSpec(finding: TransactionFinding, measured: PercentileCurve | null): ChartSpec {
  return transactionTimeSpec({
    ...finding,
    title: `Time of a transaction of ${finding.reads} reads`,
    note: `Where the band meets the window, the success rate can be read off.${
      finding.models?.["interval_mixture"]
        ? " Verdict and room are computed per slice; the band of a finished run takes all slices together."
        : ""
    }`,
    measured: measured?.points ?? null,
    scale: "log",
  });
}

/** Instructions per tool to record a file with a time series. */
const COURSE_OF: Readonly<Record<string, string>> = {
  fio: "fio’s JSON holds the whole run. Upload its logs too: --write_lat_log=NAME --log_avg_msec=1000",
  pgbench: "The summary of pgbench holds the whole run. Upload its log too: pgbench --log",
  sysbench: "Run sysbench with --report-interval=1 to have the course over time.",
  ycsb: "Run YCSB with -s: it prints its status as it goes.",
};

type ChoiceProps = {
  label: string;
  value: string;
  choices: { value: string; label: string }[];
  onChange: (value: string) => void;
  title?: string;
  /** Glossary term that the label links to. */
  term?: TermId | undefined;
};

function Choice({ label, value, choices, onChange, title, term }: ChoiceProps) {
  if (choices.length < 2) return null;
  return (
    <Group gap={8} wrap="nowrap" miw={0} title={title}>
      {term === undefined ? (
        <span className="dim small nowrap" aria-hidden="true">
          {label}
        </span>
      ) : (
        <Term id={term}>{label}</Term>
      )}
      <SegmentedControl size="xs" aria-label={label} value={value} data={choices} onChange={onChange} />
    </Group>
  );
}
