// Degradation of the drive over the hours of its runs.
import { useQuery } from "@tanstack/react-query";
import type { DriveTest } from "@/api/drivePage";
import { courseQuery, timelineQuery } from "@/api/queries";
import type { OperationCourse } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { logDomain, logTicks } from "@/charts/scales";
import { bandSeries, type ChartSpec, type LimitSpec, type Row } from "@/charts/spec";
import { loadText } from "@/entities/drive/ratings";
import { timeAxis, timeColumn } from "@/entities/run/runAxes";
import { shareSpec } from "@/entities/run/shareSpec";
import { clockName, operationName } from "@/entities/run/words";
import { formatExactLatency, formatExactPercent, formatPercentInterval, formatSpan } from "@/lib/format";
import { groupBy } from "@/lib/groupBy";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Loading, QueryView } from "@/ui/states";

/** Runs with a chart; further runs are links. */
const MOST_SHOWN = 3;

type RunOf = { readonly runId: string; readonly title: string; readonly load: number };

function runsOf(tests: readonly DriveTest[]): RunOf[] {
  return [...groupBy(tests, ({ source }) => source.run_id)].flatMap(([runId, [{ source, load }]]) =>
    runId === null ? [] : [{ runId, title: source.title, load }],
  );
}

export function OverTime({ tests }: { tests: readonly DriveTest[] }) {
  const runs = runsOf(tests);
  // A printed share has no data over time, so only runs are shown.
  if (runs.length === 0) return null;
  return (
    <Section title="Degradation over time" className="stack-8">
      {runs.slice(0, MOST_SHOWN).map((run) => (
        <Course key={run.runId} run={run} />
      ))}
      {runs.length > MOST_SHOWN ? (
        <p>
          Further runs:{" "}
          {runs.slice(MOST_SHOWN).map((run, index) => (
            <span key={run.runId}>
              {index === 0 ? "" : ", "}
              <RunLink id={run.runId}>{run.title}</RunLink>
            </span>
          ))}
        </p>
      ) : null}
    </Section>
  );
}

function Course({ run }: { run: RunOf }) {
  const course = useQuery(courseQuery(run.runId));
  const operation =
    course.data?.operations.find(({ operation, thresholds }) => operation === "read" && thresholds.length > 0) ??
    course.data?.operations.find(({ thresholds }) => thresholds.length > 0);
  const spec = operation === undefined ? null : degradationSpec(run.title, operation);
  if (course.data === undefined)
    return <QueryView query={course} what="the course of the run" lines={1} height={264} />;
  return (
    <div className="stack-8">
      {spec === null ? (
        <SharesOverTime run={run} operation={operation?.operation ?? "read"} />
      ) : (
        <ChartFigure spec={spec} fileSuffix={run.runId.slice(-8)} />
      )}
      <ul className="bullets">
        {(operation?.thresholds ?? []).map((threshold) => (
          <li key={threshold.threshold_ns}>{degradationWords(threshold)}</li>
        ))}
        <li>
          <RunLink id={run.runId}>{run.title}</RunLink>, at {loadText(run.load)}
        </li>
      </ul>
    </div>
  );
}

/** Draws the shares per interval of a run that is too short for assessed levels. */
function SharesOverTime({ run, operation }: { run: RunOf; operation: string }) {
  const timeline = useQuery(timelineQuery(run.runId));
  const series = timeline.data?.series.find(
    (series) =>
      series.operation === operation && series.pin_thresholds_ns.length > 0 && series.ticks.start_ns.length > 0,
  );
  if (timeline.data === undefined)
    return timeline.error === null ? <Loading what="the run" lines={1} height={264} /> : null;
  if (series === undefined) return <p className="panel">{run.title}: the record has no intervals to draw.</p>;
  const last = series.ticks.start_ns.length - 1;
  const reachNs = (series.ticks.start_ns[last] ?? 0) + (series.ticks.duration_ns[last] ?? 0);
  return (
    <ChartFigure
      spec={shareSpec(series, { plannedNs: reachNs, live: false }, reachNs)}
      fileSuffix={run.runId.slice(-8)}
    />
  );
}

const COLORS = ["--series-1", "--series-2", "--series-5", "--series-6"] as const;

type Threshold = OperationCourse["thresholds"][number];
type Level = Threshold["levels"]["levels"][number];

const inside = ({ start_ns, end_ns }: Level, middle: number): boolean => middle > start_ns && middle < end_ns;

/** Returns the chart of a run's levels; null if no threshold has an assessed level. */
export function degradationSpec(run: string, course: OperationCourse): ChartSpec | null {
  const shown = course.thresholds.filter((threshold) => threshold.levels.levels.length > 0);
  if (shown.length === 0) return null;
  const levels = shown.flatMap((threshold) => threshold.levels.levels);
  const ends = levels.flatMap(({ limits }) => [limits.lower, limits.upper]);
  const domain = logDomain([...ends, ...shown.map((threshold) => threshold.limit_ratio)]) ?? [1e-5, 1];
  const breaks = [...new Set(levels.flatMap(({ start_ns, end_ns }) => [start_ns, end_ns]))].sort((a, b) => a - b);
  const drawn = breaks.slice(0, -1).flatMap((from, index): Row[] => {
    const to = breaks[index + 1] ?? from;
    const values: Record<string, number | readonly [number, number] | null> = {};
    for (const threshold of shown) {
      const level = threshold.levels.levels.find((candidate) => inside(candidate, (from + to) / 2));
      if (level === undefined) continue;
      const { lower, upper } = level.limits;
      values[`${threshold.threshold_ns}`] = [Math.max(lower, domain[0]), Math.max(upper, domain[0])];
      values[`${threshold.threshold_ns} exact`] = [lower, upper];
    }
    return [
      { x: from, ...values },
      { x: to, ...values },
    ];
  });
  // Each level is one table row, at its start.
  const rows = drawn.filter((_, index) => index % 2 === 0);
  return {
    title: `${run}: share over each limit, by the hour`,
    note: `${operationName(course.operation)}, ${clockName(course.clock)}. Each step is a level that the run kept; a new one begins where more changed than chance explains.`,
    x: timeAxis(breaks.at(-1) ?? 0, { plannedNs: 0, live: false }),
    y: {
      label: "share of reads",
      kind: "log",
      domain,
      ticks: logTicks(domain),
      format: (value) => formatExactPercent(value),
    },
    rows,
    drawn,
    series: shown.map(({ threshold_ns }, index) =>
      bandSeries(
        {
          key: `${threshold_ns}`,
          label: `over ${formatExactLatency(threshold_ns)}`,
          color: COLORS[index % COLORS.length] ?? COLORS[0],
        },
        [`over_${threshold_ns}_ns_lower_ratio`, `over_${threshold_ns}_ns_upper_ratio`],
        formatPercentInterval,
        `${threshold_ns} exact`,
      ),
    ),
    limits: shown.map(
      (threshold): LimitSpec => ({
        y: threshold.limit_ratio,
        label: `limit ${formatExactPercent(threshold.limit_ratio)} over ${formatExactLatency(threshold.threshold_ns)}`,
      }),
    ),
    readX: (row) => `from ${formatSpan(row.x)}`,
    xColumn: timeColumn,
  };
}

/** Returns the late degradation at one threshold as a sentence, or the reason why it was not assessed. */
export function degradationWords({
  threshold_ns,
  late_degradation: late,
  worst_aligned_hour: worst,
}: Threshold): string {
  const over = `over ${formatExactLatency(threshold_ns)}`;
  const hour =
    worst.worst_lower == null || worst.worst_upper == null
      ? ""
      : `; worst hour ${formatPercentInterval(worst.worst_lower, worst.worst_upper)}`;
  if (late.is_degraded === null) return `${over}: not told, ${late.reason ?? "the run is too short"}${hour}`;
  if (!late.is_degraded) return `${over}: no late degradation${hour}`;
  const from = late.changed_ns === null ? "" : ` after ${formatSpan(late.changed_ns)}`;
  const until =
    late.hours_until_failing === null
      ? "the limit held"
      : `the limit broke after ${late.hours_until_failing} full hours`;
  return `${over}: degraded${from}, ${until}${hour}`;
}
