// Home page: answer to the reader's question or three entry points, latest verdicts, and how to measure next.
import { Group } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { RunSummary, VerdictSummary } from "@/api/types";
import { fullSearch } from "@/entities/question/address";
import { type Asked, useReaderQuestion } from "@/entities/question/readerQuestion";
import { useJudgedRuns } from "@/entities/run/useJudgedRuns";
import { useRunList } from "@/entities/run/useRunList";
import { SavedList } from "@/entities/saved/SavedList";
import { useSaved } from "@/entities/saved/useSaved";
import { measuredTimes, transferQueue } from "@/entities/upload/transfers";
import { roomIn } from "@/entities/verdict/answer";
import { RoomBar } from "@/entities/verdict/RoomBar";
import { VerdictBadge, Weakening } from "@/entities/verdict/VerdictBadge";
import { weakeningsInList } from "@/entities/verdict/words";
import { Command } from "@/ui/Command";
import { FilesButton } from "@/ui/FilesButton";
import { IconFile } from "@/ui/icons";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { LeaderboardTop } from "./LeaderboardTop";
import { VerdictLines } from "./VerdictLines";

const LATEST = 5;
/** Search parameters of the card-fraud check as a question. */
const EXAMPLE = { reads: 250, window: "1 s", objective: 99.9 };

/** Question that published drive tests can answer: they print shares over 1 ms and no transactions. */
const DRIVE_EXAMPLE = { limits: "1ms_1" };

export function Home() {
  usePageTitle(null);
  const runs = useRunList({});
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const live = all.filter((run) => run.state !== "finished");
  const finished = all.filter((run) => run.state === "finished" && run.verdicts.length > 0);
  // Simulated runs are not listed among measured runs.
  const judged = finished.filter((run) => !run.simulated);
  const example = finished.filter(isExampleDay).slice(0, 1);
  // Complete runs are preferred over interrupted runs, which the list of runs shows.
  const uncut = judged.filter((run) => run.outcome === "completed" || run.outcome === "failed");
  const question = useReaderQuestion();
  const shown = uncut.length > 0 ? uncut : judged;
  const answered = useJudgedRuns([...shown.slice(0, LATEST), ...example], question).runs;
  const latest = answered.filter((run) => !run.simulated);
  const isPending = runs.isPending || (question !== null && latest.some(({ verdicts }) => verdicts.length === 0));

  return (
    <div className="stack-32">
      {question === null ? (
        <div className="lead">
          <h1 className="answer-title" style={{ maxWidth: "16em" }}>
            Does this hardware meet your SLA, and how sure is that?
          </h1>
          <p className="measure muted">
            Tailroom counts every slow read, and says what that proves. Begin with a drive, a result file or a deadline.
          </p>
        </div>
      ) : (
        <ReaderAnswer question={question} runs={latest} isPending={isPending} isFailed={runs.isLoadingError} />
      )}
      <div className="tiles">
        <section className="stack-8 self-top panel" aria-label="Find a drive">
          <TracksSketch />
          <h2>Which drive should we buy?</h2>
          <p>
            The load that each tested drive holds, for example with{" "}
            <Link to="/drives" search={fullSearch(DRIVE_EXAMPLE)}>
              fewer than 1&nbsp;% of reads over 1&nbsp;ms
            </Link>
            .
          </p>
          <Link to="/drives" className="strong">
            Find a drive
          </Link>
        </section>
        <section className="stack-8 self-top panel" aria-label="Upload a run">
          <BucketsSketch />
          <h2>Does my server hold up?</h2>
          <p>
            Verdicts within seconds from logs of ACT, fio, YCSB and <Link to="/formats">other tools</Link>.
          </p>
          <div className="row between">
            <Link to="/upload" className="strong">
              Upload a run
            </Link>
            <ChooseFiles />
          </div>
        </section>
        <section className="stack-8 self-top panel" aria-label="Check my SLA">
          <RoomSketch />
          <h2>Will it meet my SLA?</h2>
          <p>
            What meets a deadline of yours, for example{" "}
            <Link to="/sla" search={fullSearch(EXAMPLE)}>
              250 reads in 1&nbsp;s, 99.9&nbsp;% of the time
            </Link>
            .
          </p>
          <Link to="/sla" className="strong">
            Check my SLA
          </Link>
        </section>
      </div>
      <Saved />
      {runs.data === undefined ? (
        <QueryView query={runs} what="the latest verdicts" lines={4} height={48} />
      ) : (
        <>
          {live.length > 0 ? (
            <Section title="Running now" className="stack-8">
              <VerdictLines runs={live} label="Runs that run now" />
            </Section>
          ) : null}
          {latest.length > 0 ? (
            <section aria-labelledby="latest-title" className="stack-8">
              <Group justify="space-between" align="baseline" wrap="nowrap" gap={0}>
                <h2 id="latest-title">Latest verdicts</h2>
                <Link to="/runs">All runs</Link>
              </Group>
              <VerdictLines runs={latest} label="Latest runs and their verdicts" />
            </section>
          ) : null}
          {example.length === 0 ? null : (
            <Section title="An example: a simulated day, not measured" className="stack-8">
              <VerdictLines runs={answered.filter((run) => run.simulated)} label="A simulated day and its verdicts" />
            </Section>
          )}
          <LeaderboardTop question={question} />
          <Section
            title={all.length === 0 ? "Nothing has been measured yet" : "Measure the next thing"}
            className="stack-8"
          >
            <div className="tiles">
              <div className="stack-8 items-start self-top panel">
                <h3>This machine</h3>
                <p>A short storage run and a fraud-check run of 250 reads per transaction, from a checkout:</p>
                <Command text={all.length === 0 ? "make up" : "make up MEASURE=yes"} />
              </div>
              <div className="stack-8 items-start self-top panel">
                <h3>A plan of your own</h3>
                <p>Create a token, then start the agent with it on any machine that reaches this address:</p>
                <Command text="tailroom token create --organisation local --name my-agent --scope agent" />
                <Command text={`tailroom-agent run --plan PLAN.toml --backend ${window.location.origin}`} />
              </div>
            </div>
          </Section>
        </>
      )}
    </div>
  );
}

function ChooseFiles() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const send = async (files: File[]) => {
    await navigate({ to: "/upload" });
    transferQueue.add(files, { reaches: measuredTimes(queries) });
  };
  return (
    <FilesButton
      label="Files to send"
      onFiles={(files) => void send(files)}
      size="xs"
      leftSection={<IconFile size={14} />}
    >
      Choose files
    </FilesButton>
  );
}

function Saved() {
  if (useSaved().items.length === 0) return null;
  return (
    <Section title="Saved" className="stack-8">
      <SavedList />
    </Section>
  );
}

const withRoom = (runs: readonly RunSummary[]) =>
  runs.flatMap((run) => {
    const verdict = run.verdicts[0];
    const room = verdict === undefined ? null : roomIn(verdict);
    return verdict === undefined || room === null ? [] : [{ run, verdict, room }];
  });

const WORDS: readonly [VerdictSummary["verdict"], string][] = [
  ["PASS", "keep it"],
  ["FAIL", "fail"],
  ["INDETERMINATE", "undecided"],
];

/** Returns the results of the latest runs as a sentence: `2 of my 5 latest runs keep it; 1 fails, 2 undecided.` */
export function latestText(verdicts: readonly VerdictSummary["verdict"][]): { key: string; after: string } {
  const [passed, ...others] = WORDS.map(([word, text]) => {
    const count = verdicts.filter((verdict) => verdict === word).length;
    return { count, text: word === "FAIL" && count === 1 ? "fails" : text };
  });
  const rest = others.filter(({ count }) => count > 0).map(({ count, text }) => `${count} ${text}`);
  const of = verdicts.length === 1 ? "my 1 latest run" : `my ${verdicts.length} latest runs`;
  return {
    key: passed === undefined || passed.count === 0 ? "None" : String(passed.count),
    after: ` of ${of} ${passed?.count === 1 || verdicts.length === 1 ? "keeps it" : "keep it"}${rest.length === 0 ? "." : `; ${rest.join(", ")}.`}`,
  };
}

type ReaderAnswerProps = { question: Asked; runs: readonly RunSummary[]; isPending: boolean; isFailed: boolean };

/** Shows the verdicts of the latest runs on the reader's question, with the headroom of the newest. */
function ReaderAnswer({ question, runs, isPending, isFailed }: ReaderAnswerProps) {
  const judged = runs.flatMap(({ verdicts }) => verdicts[0]?.verdict ?? []);
  const [first] = withRoom(runs);
  const text = judged.length === 0 ? null : latestText(judged);
  return (
    <section className="stage" style={{ gap: 12 }} aria-label="Answer to my question">
      <p className="muted">{question.text}.</p>
      <h1>
        {isPending ? (
          "Asking my latest runs…"
        ) : isFailed ? (
          "My latest runs could not be asked."
        ) : text === null ? (
          "No run of mine answers it yet."
        ) : (
          <>
            <span style={{ color: "var(--pass-ink)" }}>{text.key}</span>
            {text.after}
          </>
        )}
      </h1>
      <p>
        <Link to="/sla">What meets it, of runs, drives and servers?</Link>
      </p>
      <div className="stack-12" style={{ minHeight: 136, alignContent: "start" }}>
        {isPending || first === undefined ? null : (
          <>
            <p>
              <RunLink id={first.run.run_id} preload="intent">
                {first.run.title}
              </RunLink>{" "}
              <VerdictBadge of={first.verdict} />{" "}
              {weakeningsInList(first.run, first.verdict).map((text) => (
                <Weakening key={text} text={text} />
              ))}
            </p>
            <RoomBar room={first.room} size="hero" />
          </>
        )}
      </div>
    </section>
  );
}

const DAY_NS = 86_400e9;

export const isExampleDay = ({ simulated, outcome, measured_duration_ns: measured }: RunSummary): boolean =>
  simulated && outcome === "completed" && measured !== null && measured >= DAY_NS;

const BUCKETS = [3, 7, 15, 24, 30, 26, 20, 16, 13, 10, 8, 6, 5, 4, 3, 2, 2, 1, 1, 1] as const;

function TracksSketch() {
  return (
    <svg viewBox="0 0 208 32" width={208} height={32} aria-hidden="true">
      <Track y={8} held={104} failed={140} />
      <Track y={22} held={60} failed={100} />
    </svg>
  );
}

function Track({ y, held, failed }: { y: number; held: number; failed: number }) {
  return (
    <>
      <line x1={3} x2={held} y1={y} y2={y} stroke="var(--pass-fill)" strokeWidth={5} strokeLinecap="round" />
      <line x1={held + 8} x2={failed - 8} y1={y} y2={y} stroke="var(--axis)" strokeWidth={2} strokeDasharray="2 4" />
      <line x1={failed} x2={205} y1={y} y2={y} stroke="var(--fail-fill)" strokeWidth={5} strokeLinecap="round" />
    </>
  );
}

function BucketsSketch() {
  return (
    <svg viewBox="0 0 208 32" width={208} height={32} aria-hidden="true">
      {BUCKETS.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a drawing never changes
          key={index}
          x={index * 10.4}
          y={31 - height}
          width={8}
          height={height}
          rx={1.5}
          fill={index < 9 ? "var(--data)" : "var(--data-band)"}
        />
      ))}
    </svg>
  );
}

function RoomSketch() {
  return (
    <svg viewBox="0 0 208 32" width={208} height={32} aria-hidden="true">
      <rect x={0} y={10} width={46} height={12} rx={2} fill="var(--data)" />
      <rect x={46} y={10} width={24} height={12} fill="var(--data-band)" />
      <rect x={71} y={10} width={52} height={12} fill="var(--room-pass)" />
      <rect x={124} y={10} width={80} height={12} fill="var(--reserve)" />
      <rect x={204} y={5} width={2} height={22} fill="var(--ink)" />
    </svg>
  );
}
