// The first page: is something running, what did the latest runs say, and how to measure the next thing.
import { Link } from "@tanstack/react-router";
import type { RunSummary, VerdictSummary } from "@/api/types";
import { whole } from "@/entities/question/address";
import { useAsked } from "@/entities/question/useAsked";
import { Simulated } from "@/entities/run/Simulated";
import { useJudgedRuns } from "@/entities/run/useJudgedRuns";
import { useRunList } from "@/entities/run/useRunList";
import { SavedList } from "@/entities/saved/SavedList";
import { useSaved } from "@/entities/saved/useSaved";
import { AnswerHeader } from "@/entities/verdict/AnswerHeader";
import { answerSentence } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { roomIn } from "@/entities/verdict/summary";
import { formatSpan } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { Command } from "@/ui/Command";
import { Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { isExampleDay } from "./exampleDay";
import classes from "./Home.module.css";
import { LeaderboardTop } from "./LeaderboardTop";
import { BucketsSketch, RoomSketch, TracksSketch } from "./sketches";
import { Tour } from "./Tour";
import { VerdictLines } from "./VerdictLines";

const LATEST = 5;
/** The card-fraud check as a question of one's own. */
const EXAMPLE = { reads: 250, window: "1 s", objective: 99.9 };

/** Decided by what drives were tested for: published tests print shares over 1 ms, and no transactions. */
const DRIVE_EXAMPLE = { limits: "1ms_1" };

export function Home() {
  usePageTitle(null);
  const runs = useRunList({});
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const live = all.filter((run) => run.state !== "finished");
  const finished = all.filter((run) => run.state === "finished" && run.verdicts.length > 0);
  // What was made up never stands among what was measured.
  const judged = finished.filter((run) => !run.simulated);
  const example = finished.find(isExampleDay);
  // Runs that were cut off are on the list of runs; here whole ones come first.
  const uncut = judged.filter((run) => run.outcome === "completed" || run.outcome === "failed");
  const asked = useAsked();
  const shown = uncut.length > 0 ? uncut : judged;
  const latest = useJudgedRuns(shown.slice(0, LATEST), asked);

  return (
    <div className={classes["page"]}>
      <div className={classes["intro"]}>
        <h1>Does this hardware meet your SLA, and how sure is that?</h1>
        <p>
          Averages hide the slow reads that miss a deadline. Tailroom stores every one, and shows the room they leave.
        </p>
      </div>
      <Tour example={example} />
      <Shown runs={asked === null ? shown : latest} example={example} />
      <div className={classes["doors"]}>
        <section className="panel" aria-label="Find a drive">
          <TracksSketch />
          <h2>Which drive should we buy?</h2>
          <p>Every tested drive with the loads that it held and failed, compared only at equal conditions.</p>
          <p className="dim">
            Example:{" "}
            <Link to="/drives" search={whole(DRIVE_EXAMPLE)}>
              fewer than 1&nbsp;% of reads over 1&nbsp;ms
            </Link>
            . <Link to="/prices">My prices</Link> add the cost.
          </p>
          <Link to="/drives" className={classes["check"]}>
            Find a drive
          </Link>
        </section>
        <section className="panel" aria-label="Upload a run">
          <BucketsSketch />
          <h2>Does my server hold up?</h2>
          <p>Drop a log of ACT, fio, YCSB, memtier_benchmark or another tool. The verdicts come within seconds.</p>
          <p className="dim">
            <Link to="/formats">Which files are read</Link>
          </p>
          <Link to="/upload" className={classes["check"]}>
            Upload a run
          </Link>
        </section>
        <section className="panel" aria-label="Check my SLA">
          <RoomSketch />
          <h2>Will it meet my SLA?</h2>
          <p>Say what one transaction needs. See what meets it, what misses it, and what would decide the rest.</p>
          <p className="dim">
            Example:{" "}
            <Link to="/sla" search={whole(EXAMPLE)}>
              250 reads in 1&nbsp;s, 99.9&nbsp;% of the time
            </Link>
          </p>
          <Link to="/sla" className={classes["check"]}>
            Check my SLA
          </Link>
        </section>
      </div>
      <Saved />
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
              <VerdictLines runs={live} />
            </section>
          ) : null}
          {latest.length > 0 ? (
            <section aria-labelledby="latest-title" className={classes["part"]}>
              <div className={classes["partHead"]}>
                <h2 id="latest-title">Latest verdicts</h2>
                <Link to="/runs">All runs</Link>
              </div>
              {asked === null ? null : <p className="dim">Each one judged by my question, as it stands above.</p>}
              <VerdictLines runs={latest} />
            </section>
          ) : null}
          {example === undefined ? null : (
            <section aria-labelledby="example-title" className={classes["part"]}>
              <h2 id="example-title">A day as an example</h2>
              <p className="dim">
                24 hours that were not measured: a generator simulated them, with a drive that slows down in hour 18.
                See when it fails, and what the day still shows.
              </p>
              <VerdictLines runs={[example]} />
            </section>
          )}
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

/** For those who come back; whoever has saved nothing is not told so here. */
function Saved() {
  if (useSaved().items.length === 0) return null;
  return (
    <section aria-labelledby="saved-title" className={classes["part"]}>
      <h2 id="saved-title">Saved</h2>
      <SavedList />
    </section>
  );
}

/** What was measured and what was asked, without saying the same twice. */
function questionOf(title: string, budget: string): string {
  const plain = (text: string): string => text.replaceAll("\u00a0", " ");
  return plain(title).includes(plain(budget)) ? title : `${title}: ${budget}`;
}

const withRoom = (run: RunSummary, verdicts: readonly VerdictSummary[]) =>
  verdicts.flatMap((verdict) => {
    const room = verdict.verdict === "INDETERMINATE" ? null : roomIn(verdict);
    return room === null ? [] : [{ run, verdict, room }];
  });

/**
 * The newest answer that says how much room is left, as the first picture of the page. Before anything was measured it is one of
 * the simulated day, which is marked.
 */
function Shown({ runs, example }: { runs: readonly RunSummary[]; example: RunSummary | undefined }) {
  const measured = runs.flatMap((run) => withRoom(run, run.verdicts.slice(0, 1)));
  const simulated = runs.length > 0 || example === undefined ? [] : withRoom(example, example.verdicts);
  const first = measured[0] ?? simulated[0];
  if (first === undefined) return null;
  const { run, verdict, room } = first;
  return (
    <section className={classes["shown"]} aria-label={run.simulated ? "Example of an answer" : "Latest answer"}>
      <AnswerHeader
        question={
          <>
            {questionOf(run.title, verdict.budget_title)} <Simulated run={run} />
          </>
        }
        of={verdict}
        fact={run.measured_duration_ns === null ? null : formatSpan(nanoseconds(run.measured_duration_ns))}
        sentence={answerSentence(verdict, room, verdict.headline ?? null)}
        reason={
          <Link to="/runs/$runId" params={{ runId: run.run_id }} preload="intent">
            Open this verdict
          </Link>
        }
      />
      <RoomBar room={room} size="hero" />
    </section>
  );
}
