// Page of one run, live or finished: state and verdicts first, evidence below.

import { Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { isWithdrawn } from "@/api/problem";
import {
  driveVariantQuery,
  exceedanceQuery,
  heatmapQuery,
  percentilesQuery,
  runDetailQuery,
  timelineQuery,
} from "@/api/queries";
import { type FeedState, RunFeed } from "@/api/runFeed";
import { serverNow } from "@/api/serverClock";
import { endOfData } from "@/api/timelineCache";
import type { DriveVariant, RunDetail } from "@/api/types";
import { SharedCursor } from "@/charts/cursor";
import { Missing } from "@/entities/missing/Missing";
import type { ReaderQuestionSearch } from "@/entities/question/address";
import { asksOwn, readReaderQuestion } from "@/entities/question/readerQuestion";
import { FailedWork } from "@/entities/removal/FailedWork";
import { LoadSearch } from "@/entities/run/LoadSearch";
import { PrintedTable } from "@/entities/run/PrintedTable";
import { Sharing } from "@/entities/run/Sharing";
import { RunAnswer } from "@/entities/verdict/RunAnswer";
import { useEvaluation } from "@/entities/verdict/useEvaluation";
import { formatMoment, plural, sentence } from "@/lib/format";
import { IconWarning } from "@/ui/icons";
import { DriveLink } from "@/ui/links";
import { Empty, Failed, Loading, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Audit } from "./Audit";
import type { RunChange, RunView } from "./address";
import { Charts } from "./Charts";
import { ConcurrentLogs } from "./ConcurrentLogs";
import { DriveCounters } from "./DriveCounters";
import { ExceedanceTable } from "./ExceedanceTable";
import { GENERATOR_ID } from "./generator/anchor";
import { Generator } from "./generator/Generator";
import { LadderStrip } from "./LadderStrip";
import { elapsedOf, isLive, mayChange } from "./liveness";
import { Machines } from "./Machines";
import { OverTime } from "./OverTime";
import { OwnAnswer } from "./OwnAnswer";
import { RunFacts } from "./RunFacts";
import { RunHeader } from "./RunHeader";
import classes from "./RunPage.module.css";
import { bySeries, selectSeries, selectSeriesName } from "./seriesSelection";
import { VerdictCards } from "./VerdictCards";

type RunPageProps = { runId: string; view: RunView & ReaderQuestionSearch; onView: (change: RunChange) => void };

export function RunPage({ runId, view, onView }: RunPageProps) {
  const detail = useQuery(runDetailQuery(runId));
  const timeline = useQuery(timelineQuery(runId));
  const percentiles = useQuery(percentilesQuery(runId));
  const exceedance = useQuery(exceedanceQuery(runId));
  const run = detail.data;
  const feed = useRunFeed(runId, run !== undefined && mayChange(run, serverNow()));
  usePageTitle(run?.title ?? null);
  usePrefetchHeatmap(run, view);
  const question = useMemo(() => (asksOwn(view) ? readReaderQuestion(view).question : null), [view]);

  const own = useEvaluation(
    question === null ? null : { key: runId, subject: { run_id: runId } },
    question?.budget ?? null,
  );

  if (run === undefined) {
    if (detail.error !== null && isWithdrawn(detail.error))
      return (
        <Empty page title="This run was withdrawn">
          <p>{detail.error.message}</p>
        </Empty>
      );
    return <QueryView query={detail} what="the run" lines={4} height={96} missing={<Missing page what="run" />} />;
  }

  const reachNs = Math.max(timeline.data === undefined ? 0 : endOfData(timeline.data), run.data_through_ns);
  const selection = timeline.data === undefined ? null : selectSeries(run, timeline.data.series, view);
  const failed = [timeline, percentiles, exceedance].find((query) => query.error !== null && query.data === undefined);

  const live = isLive(run);
  return (
    <div className="stack-24">
      <RunHeader run={run} elapsed={elapsedOf(run, reachNs)} feed={feed.state} />
      <ConnectionBanner run={run} feed={feed.state} onRetry={feed.retry} />
      <FailedRunWork run={run} />
      <LadderStrip run={run} />
      <LoadSearch run={run} />
      <SuiteLink plan={run.plan} />
      <VariantWarning runId={runId} workload={run.workload} />
      {question === null ? (
        <RunAnswer
          run={run}
          verdictLink={(text) => <a href="#verdict">{text}</a>}
          generatorLink={(text) => <a href={`#${GENERATOR_ID}`}>{text}</a>}
        />
      ) : (
        <OwnAnswer question={question} answer={own.answer} />
      )}
      {question !== null && own.answer.isPending ? null : (
        <SharedCursor>
          <Sections />
          <div id="verdict" className={`stack-24 ${classes["section"]}`}>
            <VerdictCards
              run={run}
              curves={percentiles.data === undefined ? null : [...percentiles.data.curves].sort(bySeries(run.series))}
            />
          </div>
          {failed?.error ? (
            <Failed error={failed.error} what="The measurements" onRetry={() => void failed.refetch()} />
          ) : selection === null ? (
            <Loading what="the measurements" lines={2} height={264} />
          ) : (
            <Charts
              run={run}
              selection={selection}
              percentiles={percentiles.data ?? null}
              reachNs={reachNs}
              view={view}
              onView={onView}
              live={live}
              shares={
                exceedance.data === undefined ? null : (
                  <ExceedanceTable
                    rows={[...exceedance.data.rows].sort(bySeries(run.series))}
                    percentiles={percentiles.data ?? null}
                    runId={runId}
                  />
                )
              }
            />
          )}
          <AfterFirstPaint>
            <PrintedTable curves={percentiles.data?.curves ?? []} />
            {timeline.data === undefined || (!live && selection?.series === undefined) ? null : (
              <OverTime run={run} operation={view.operation} live={live} />
            )}
            {run.is_own ? <Machines run={run} reachNs={reachNs} live={live} /> : null}
            <div id="load" className={`stack-24 ${classes["section"]}`}>
              {selection === null ? null : (
                <Generator
                  run={run}
                  series={selection.series}
                  all={selection.all}
                  percentiles={percentiles.data ?? null}
                  reachNs={reachNs}
                  live={live}
                />
              )}
            </div>
            <div id="evidence" className={`stack-24 ${classes["section"]}`}>
              <Audit runId={runId} />
              {run.state === "finished" ? <DriveCounters runId={runId} /> : null}
              {run.is_own && run.state === "finished" ? <Sharing run={run} /> : null}
              {run.is_own ? <ConcurrentLogs runId={runId} /> : null}
              <RunFacts run={run} />
            </div>
          </AfterFirstPaint>
        </SharedCursor>
      )}
    </div>
  );
}

/** Renders its content after the first paint, or at once if the address has a fragment. */
function AfterFirstPaint({ children }: { children: ReactNode }) {
  return useDeferredValue(true, window.location.hash !== "") ? children : null;
}

/** Fetches the heatmap, the slowest request of a long run, before the timeline has arrived. */
function usePrefetchHeatmap(run: RunDetail | undefined, view: RunView): void {
  const name = useMemo(() => (run === undefined ? null : selectSeriesName(run, view)), [run, view]);
  useQuery({
    ...heatmapQuery(run?.run_id ?? "", {
      operation: name?.operation ?? "",
      clock: name?.clock ?? "response",
    }),
    enabled: name !== null,
    notifyOnChangeProps: [],
  });
}

const SECTIONS = [
  { id: "verdict", label: "Verdict" },
  { id: "latency", label: "Latency" },
  { id: "over-time", label: "Over time" },
  { id: "load", label: "Load" },
  { id: "evidence", label: "Evidence" },
] as const;

/** Renders links to the sections; tabs would hide content from search, links and print. */
function Sections() {
  return (
    <nav className={`nav-line ${classes["sections"]} no-print`} aria-label="Sections of this page">
      {SECTIONS.map(({ id, label }) => (
        <a key={id} href={`#${id}`}>
          {label}
        </a>
      ))}
    </nav>
  );
}

function ConnectionBanner({ run, feed, onRetry }: { run: RunDetail; feed: FeedState; onRetry: () => void }) {
  if (feed.connection !== "reconnecting") return null;
  const first = feed.attempt <= 1;
  return (
    <Group wrap="nowrap" gap={12} className="caution notice no-print" role="status">
      <IconWarning size={18} />
      <p style={{ flex: 1 }}>
        <strong>{first ? "Reconnecting" : `Reconnecting, attempt ${feed.attempt}`}</strong> The live connection to the
        server broke. {first ? "" : "Until it is back, this page asks for news every few seconds. "}
        {run.state === "finished" ? "" : "The agent goes on measuring and keeps what it cannot send: nothing is lost."}
      </p>
      <Button size="xs" flex="none" onClick={onRetry}>
        Try now
      </Button>
    </Group>
  );
}

const WORK: Readonly<Record<string, string>> = {
  judge: "Verdicts",
  audit: "Audit of the evidence",
  rate: "Rating of the drive",
};

export function FailedRunWork({ run }: { run: RunDetail }) {
  if (run.given_up.length === 0) return null;
  return (
    <FailedWork subject={{ kind: "run", id: run.run_id }}>
      {run.given_up.map((work) => (
        <p key={work.work}>
          <strong>
            {WORK[work.work] ?? work.work}: given up after {plural(work.attempts, "attempt")}.
          </strong>{" "}
          {sentence(work.error)}. <span className="num">{formatMoment(work.given_up_at)}</span>
        </p>
      ))}
    </FailedWork>
  );
}

/** Renders the link; null for runs outside a qualification suite. */
function SuiteLink({ plan }: { plan: Readonly<Record<string, unknown>> }) {
  const suite = plan["qualify"];
  if (suite === null || typeof suite !== "object" || !("id" in suite) || typeof suite.id !== "string") return null;
  const place = "step" in suite && "number" in suite ? ` (${String(suite.step)} ${String(suite.number)})` : "";
  return (
    <p>
      One load{place} of a{" "}
      <Link to="/qualifications/$suiteId" params={{ suiteId: suite.id }}>
        qualification of the drive
      </Link>
      .
    </p>
  );
}

const IDLE: FeedState = { connection: "closed", attempt: 0, lastTickAtMs: null };
const idle = (): FeedState => IDLE;
const never = (): (() => void) => () => undefined;

/** Returns the state of the feed while `enabled`, and a function that reconnects at once. */
function useRunFeed(runId: string, enabled: boolean): { state: FeedState; retry: () => void } {
  const queries = useQueryClient();
  const [feed, setFeed] = useState<RunFeed | null>(null);
  useEffect(() => {
    if (!enabled) return;
    const opened = new RunFeed(queries, runId);
    opened.start();
    setFeed(opened);
    return () => {
      opened.stop();
      setFeed(null);
    };
  }, [queries, runId, enabled]);
  const state = useSyncExternalStore(feed?.subscribe ?? never, feed?.state ?? idle);
  return { state, retry: () => feed?.retry() };
}

const OF_DRIVES = ["act-storage", "qualify"];

function VariantWarning({ runId, workload }: { runId: string; workload: string }) {
  const variant = useQuery({ ...driveVariantQuery(runId), enabled: OF_DRIVES.includes(workload) }).data;
  return variant === undefined ? null : <Warnings variant={variant} />;
}

export function Warnings({ variant: { drive, warnings } }: { variant: DriveVariant }) {
  if (drive === null || warnings.length === 0) return null;
  return (
    <div role="note">
      {warnings.map((warning) => (
        <p key={warning}>
          <IconWarning aria-hidden="true" /> {warning}
        </p>
      ))}
      <p>
        <DriveLink slug={drive.slug}>
          Tests of {drive.vendor} {drive.name}
        </DriveLink>
      </p>
    </div>
  );
}
