// Degradation of the drive over the hours of its runs.
import { useQuery } from "@tanstack/react-query";
import type { DriveTest } from "@/api/drivePage";
import { courseQuery, timelineQuery } from "@/api/queries";
import { ChartFigure } from "@/charts/ChartFigure";
import { loadText } from "@/entities/drive/ratings";
import { shareSpec } from "@/entities/run/shareSpec";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Loading, QueryView } from "@/ui/states";
import { degradationSpec, degradationWords } from "./degradation";

/** Runs with a chart; further runs are links. */
const MOST_SHOWN = 3;

type RunOf = { readonly runId: string; readonly title: string; readonly load: number };

function runsOf(tests: readonly DriveTest[]): RunOf[] {
  const byRun = new Map<string, RunOf>();
  for (const { source, load } of tests) {
    if (source.run_id !== null && !byRun.has(source.run_id))
      byRun.set(source.run_id, { runId: source.run_id, title: source.title, load });
  }
  return [...byRun.values()];
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
