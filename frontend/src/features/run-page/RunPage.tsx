// One run, live or finished: its state and verdicts in the first screen, the proof below.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isNotFound } from "@/api/problem";
import { exceedanceQuery, percentilesQuery, runDetailQuery, timelineQuery } from "@/api/queries";
import { serverNow } from "@/api/serverClock";
import { reachOf } from "@/api/timelineCache";
import type { ScaleChoice } from "@/charts/scales";
import { Empty, Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Audit } from "./Audit";
import { Charts } from "./Charts";
import { ConnectionBanner } from "./ConnectionBanner";
import { chosenSeries } from "./choice";
import { ExceedanceTable } from "./ExceedanceTable";
import { Generator } from "./generator/Generator";
import { LadderStrip } from "./LadderStrip";
import { elapsedOf, isLive, mayChange } from "./liveness";
import { OverTime } from "./OverTime";
import { bySeries } from "./order";
import { RunFacts } from "./RunFacts";
import { RunHeader } from "./RunHeader";
import classes from "./RunPage.module.css";
import { useRunFeed } from "./useRunFeed";
import { VerdictCards } from "./VerdictCards";

export type RunView = { operation?: string; clock?: string; scale?: ScaleChoice };

type RunPageProps = { runId: string; view: RunView; onView: (change: RunView) => void };

export function RunPage({ runId, view, onView }: RunPageProps) {
  const detail = useQuery(runDetailQuery(runId));
  const timeline = useQuery(timelineQuery(runId));
  const percentiles = useQuery(percentilesQuery(runId));
  const exceedance = useQuery(exceedanceQuery(runId));
  const run = detail.data;
  const feed = useRunFeed(runId, run !== undefined && mayChange(run, serverNow()));
  usePageTitle(run?.title ?? null);

  if (run === undefined) {
    if (detail.error !== null) {
      if (isNotFound(detail.error)) {
        return (
          <Empty page title="There is no such run">
            <p>It may belong to another organisation, or the link may be incomplete. All your runs are on the list.</p>
            <Link to="/runs">Show runs</Link>
          </Empty>
        );
      }
      return <Failed error={detail.error} what="The run" onRetry={() => void detail.refetch()} />;
    }
    return <Loading what="the run" lines={4} height={96} />;
  }

  const reachNs = Math.max(timeline.data === undefined ? 0 : reachOf(timeline.data), run.data_through_ns);
  const chosen = timeline.data === undefined ? null : chosenSeries(run, timeline.data, view);
  const failed = [timeline, percentiles, exceedance].find((query) => query.error !== null && query.data === undefined);

  return (
    <div className={classes["page"]}>
      <RunHeader run={run} elapsed={elapsedOf(run, reachNs)} feed={feed.state} />
      <ConnectionBanner run={run} feed={feed.state} onRetry={feed.retry} />
      <LadderStrip run={run} />
      <VerdictCards run={run} />
      {failed?.error ? (
        <Failed error={failed.error} what="The measurements" onRetry={() => void failed.refetch()} />
      ) : chosen === null ? (
        <Loading what="the measurements" lines={2} height={264} />
      ) : (
        <Charts
          run={run}
          chosen={chosen}
          percentiles={percentiles.data ?? null}
          reachNs={reachNs}
          view={view}
          onView={onView}
          live={isLive(run)}
        />
      )}
      {exceedance.data === undefined ? null : (
        <ExceedanceTable
          rows={[...exceedance.data.rows].sort(bySeries(run.series))}
          percentiles={percentiles.data ?? null}
          runId={runId}
        />
      )}
      {timeline.data === undefined ? null : <OverTime run={run} operation={view.operation} live={isLive(run)} />}
      {chosen === null ? null : (
        <Generator
          run={run}
          series={chosen.series}
          all={chosen.all}
          percentiles={percentiles.data ?? null}
          reachNs={reachNs}
          live={isLive(run)}
        />
      )}
      <Audit runId={runId} />
      <RunFacts run={run} />
    </div>
  );
}
