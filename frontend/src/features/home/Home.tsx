// The first page: is something running, what did the latest runs say, and how to measure the next thing.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { serverNow } from "@/api/serverClock";
import type { RunSummary } from "@/api/types";
import { formatAgo } from "@/lib/format";
import { workloadName } from "@/lib/words";
import { Command } from "@/ui/Command";
import { Failed, Loading } from "@/ui/states";
import { useNow } from "@/ui/useNow";
import { usePageTitle } from "@/ui/usePageTitle";
import { VerdictBadge } from "@/ui/VerdictBadge";
import classes from "./Home.module.css";
import { LeaderboardTop } from "./LeaderboardTop";

const LATEST = 5;

export function Home() {
  usePageTitle(null);
  const runs = useInfiniteQuery(runListQuery({}));
  const now = useNow(serverNow, 10_000);
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const live = all.filter((run) => run.state !== "finished");
  const judged = all.filter((run) => run.state === "finished" && run.verdicts.length > 0).slice(0, LATEST);

  return (
    <div className={classes["page"]}>
      <div className={classes["intro"]}>
        <h1>How much room does the latency tail leave?</h1>
        <p>
          Tailroom runs storage and database benchmarks on real machines, keeps every latency bucket, and says whether
          the hardware meets your SLA, and how sure that is.
        </p>
        <p>
          <Link to="/sla" className={classes["check"]}>
            Check my SLA
          </Link>{" "}
          <span className="dim">how many reads, in which time, for which share of transactions</span>
        </p>
        <p>
          <Link to="/drives" className={classes["check"]}>
            Find a drive
          </Link>{" "}
          <span className="dim">which one holds which load, at equal conditions, ranked by your own SLA</span>
        </p>
        <p>
          <Link to="/upload" className={classes["check"]}>
            Upload a run
          </Link>{" "}
          <span className="dim">logs of ACT, fio, YCSB, memtier_benchmark and others that you already have</span>
        </p>
      </div>
      {runs.data === undefined ? (
        runs.error === null ? (
          <Loading what="the latest verdicts" lines={4} height={48} />
        ) : (
          <Failed error={runs.error} what="The latest verdicts" onRetry={() => void runs.refetch()} />
        )
      ) : (
        <>
          {live.length > 0 ? (
            <section aria-labelledby="live-title" className={classes["part"]}>
              <h2 id="live-title">Running now</h2>
              <ul className={classes["list"]}>
                {live.map((run) => (
                  <RunLine key={run.run_id} run={run} now={now} />
                ))}
              </ul>
            </section>
          ) : null}
          {judged.length > 0 ? (
            <section aria-labelledby="latest-title" className={classes["part"]}>
              <div className={classes["partHead"]}>
                <h2 id="latest-title">Latest verdicts</h2>
                <Link to="/runs">All runs</Link>
              </div>
              <ul className={classes["list"]}>
                {judged.map((run) => (
                  <RunLine key={run.run_id} run={run} now={now} />
                ))}
              </ul>
            </section>
          ) : null}
          <LeaderboardTop />
          <section aria-labelledby="next-title" className={classes["part"]}>
            <h2 id="next-title">{all.length === 0 ? "Nothing has been measured yet" : "Measure the next thing"}</h2>
            <div className={classes["next"]}>
              <div className="panel">
                <h3>This machine</h3>
                <p>A short storage run and a fraud-check run of 250 reads per transaction, from a checkout:</p>
                <Command text={all.length === 0 ? "make up" : "make up MEASURE=yes"} />
              </div>
              <div className="panel">
                <h3>A plan of your own</h3>
                <p>Create a token, then start the agent with it on any machine that reaches this address:</p>
                <Command text="tailroom token create --organisation local --name my-agent --scope agent" />
                <Command text={`tailroom-agent run --plan PLAN.toml --backend ${window.location.origin}`} />
              </div>
            </div>
          </section>
        </>
      )}
    </div>
  );
}

function RunLine({ run, now }: { run: RunSummary; now: number }) {
  return (
    <li className={classes["line"]}>
      <div className={classes["what"]}>
        <Link to="/runs/$runId" params={{ runId: run.run_id }} preload="intent">
          {run.title}
        </Link>
        <span className="dim">
          {workloadName(run.workload)}
          {run.host_name === null ? "" : ` · ${run.host_name}`} · {formatAgo(now - Date.parse(run.started_at))}
        </span>
      </div>
      <ul className={classes["verdicts"]}>
        {run.verdicts.map((verdict) => (
          <li key={verdict.budget_name}>
            <span className="dim">{verdict.budget_title}</span>
            <VerdictBadge verdict={verdict.verdict} reason={verdict.reason} provisional={verdict.provisional} />
          </li>
        ))}
        {run.verdicts.length === 0 ? <li className="dim">no verdict yet</li> : null}
      </ul>
    </li>
  );
}
