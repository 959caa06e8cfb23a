// Run read from an upload: outcome, verdicts, facts to add, and visibility.
import { Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { runKeys } from "@/api/queries";
import { serverNow } from "@/api/serverClock";
import type { RunDetail, Upload, UploadedRun } from "@/api/types";
import { isJudged, judgedRunQuery, pollJudgedMs } from "@/api/uploads";
import { DisclosureForm } from "@/entities/disclosure/DisclosureForm";
import { Sharing } from "@/entities/run/Sharing";
import type { Transfer } from "@/entities/upload/transfers";
import { RunAnswer } from "@/entities/verdict/RunAnswer";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { formatBytes, formatMoment, formatSpan, plural } from "@/lib/format";
import { FilesButton } from "@/ui/FilesButton";
import { IconUpload, IconWarning } from "@/ui/icons";
import { RunLink } from "@/ui/links";
import { Loading } from "@/ui/states";
import { Problems } from "./Problems";
import { SeriesTable } from "./SeriesTable";
import { endMeaning, endName, growth, isInFuture, mayGrow } from "./wording";

const RunPreview = lazy(() => import("./RunPreview").then((module) => ({ default: module.RunPreview })));

/** Number of series listed before the rest is folded. */
const MOST_SERIES = 6;

type RunCardProps = {
  run: UploadedRun;
  upload: Upload;
  /** Transfer of the upload in this tab; undefined if it was uploaded elsewhere. */
  transfer: Transfer | undefined;
  /** Whether the charts, and a short table of series, are open from the start. */
  open: boolean;
  /** Whether the form for missing facts is open. */
  first: boolean;
  onLonger: (files: File[], runId: string) => void;
};

export function RunCard({ run, upload, transfer, open, first, onLonger }: RunCardProps) {
  const detail = useQuery(judgedRunQuery(run.run_id)).data;
  const judging = judgingOf(detail);
  useRefetchOnceJudged(run.run_id, judging);
  const [pictures, setPictures] = useState(open);
  const [table, setTable] = useState(open && run.series.length <= MOST_SERIES);
  const others = upload.runs.filter((candidate) => candidate.run_id !== run.run_id);
  const own = upload.files.filter((file) => file.run_ids.includes(run.run_id));
  // Problems of a file are shown with the file; these belong to no listed file.
  const unplaced = run.problems.filter(
    (problem) => own.length === 0 && !upload.files.some((file) => file.name === problem.file),
  );
  return (
    <article className="card stack-16" style={{ padding: 16 }} aria-label={run.title}>
      <header className="wrap between">
        <div>
          <h3 className="wrap-anywhere" style={{ fontSize: "1.25rem" }}>
            <RunLink id={run.run_id} preload="intent">
              {run.title}
            </RunLink>
          </h3>
          <p className="dim">
            {run.measured_duration_ns ? `${formatSpan(run.measured_duration_ns)} measured` : "length not stated"} ·{" "}
            {run.started_at_known ? `began ${formatMoment(run.started_at)}` : "start not stated"} · from{" "}
            {own.map((file) => file.name).join(", ")}
          </p>
        </div>
        <Group component="p" align="stretch" gap="4px 16px">
          <RunLink id={run.run_id}>Open the run page</RunLink>
          <Link to="/sla" search={{ run: run.run_id }}>
            Check my SLA on it
          </Link>
        </Group>
      </header>
      {detail === undefined && transfer === undefined && open ? (
        <Loading what="the answer" lines={1} height={304} />
      ) : (
        <Verdicts detail={detail} judging={judging} answered={open} />
      )}
      <FutureStart run={run} />
      <End run={run} onLonger={onLonger} />
      <RunGrowth run={run} detail={detail} transfer={transfer} />
      {run.closed_loop ? (
        <Notice Sign={IconWarning} title="Response time unknown (closed loop).">
          The tool waited for each answer before the next operation, so waiting in a queue is not in these figures. They
          are service times at best.
        </Notice>
      ) : null}
      <Problems problems={unplaced} file={null} />
      {pictures ? (
        <Suspense fallback={<Loading what="the preview" lines={1} height={264} />}>
          <RunPreview runId={run.run_id} state={judging} />
        </Suspense>
      ) : (
        <Button size="xs" className="self-start" onClick={() => setPictures(true)}>
          Show the pictures
        </Button>
      )}
      <details open={table} onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary className="strong">{plural(run.series.length, "series", "series")} read</summary>
        {table ? <SeriesTable run={run} /> : null}
      </details>
      <DisclosureForm uploadId={upload.upload_id} run={run} others={others} open={first} />
      <Sharing run={run} />
    </article>
  );
}

type NoticeProps = { Sign: typeof IconWarning; title: string; role?: "status"; children: ReactNode };

const Notice = ({ Sign, title, role, children }: NoticeProps) => (
  <p className="with-icon notice" style={{ background: "var(--sunk)" }} role={role}>
    <Sign size={16} />
    <span>
      <strong>{title}</strong> {children}
    </span>
  </p>
);

/** Asks about a start time in the future, which suggests a wrong clock; null otherwise. */
function FutureStart({ run }: Pick<RunCardProps, "run">) {
  if (!run.started_at_known || !isInFuture(run.started_at, serverNow())) return null;
  return (
    <Notice Sign={IconWarning} title="Began in the future?" role="status">
      The file says {formatMoment(run.started_at)}. Check the clock of the machine, then correct “When the run began”
      below.
    </Notice>
  );
}

function End({ run, onLonger }: Pick<RunCardProps, "run" | "onLonger">) {
  const isComplete = run.end_state === "finished";
  return (
    <div className={isComplete ? "stack-8 dim" : "stack-8 caution notice"}>
      <p>
        <strong>{endName(run.end_state)}.</strong> {endMeaning(run)}
      </p>
      {mayGrow(run.end_state) ? (
        <div className="row">
          <FilesButton
            label={`A longer copy of ${run.title}`}
            onFiles={(files) => onLonger(files, run.run_id)}
            size="xs"
            leftSection={<IconUpload size={14} />}
          >
            Send a longer copy
          </FilesButton>
          <span className="dim">The same log with more at its end continues this run: its link stays.</span>
        </div>
      ) : null}
    </div>
  );
}

/** Shows how much a run has grown, by its stored files and its earlier length in this tab; null if unchanged. */
function RunGrowth({
  run,
  detail,
  transfer,
}: Pick<RunCardProps, "run" | "transfer"> & { detail: RunDetail | undefined }) {
  const before = transfer?.reaches.get(run.run_id);
  const grown = before === undefined ? null : growth(before.measuredNs, run.measured_duration_ns);
  const copies = [...(detail?.files ?? [])].sort((a, b) => a.size_bytes - b.size_bytes);
  if (grown === null && copies.length < 2) return null;
  return (
    <Notice Sign={IconUpload} title="Continued." role="status">
      The same run, under the same link{grown === null ? "" : `: ${grown}`}.
      {copies.length < 2 ? null : (
        <span className="dim">
          {" "}
          {plural(copies.length, "copy", "copies")} of the log are stored, of{" "}
          {copies.map((copy) => formatBytes(copy.size_bytes)).join(", ")}; what is shown was read from the longest.
        </span>
      )}
    </Notice>
  );
}

/** Refetches the charts once verdicts exist, because earlier data may cover only a part of the run. */
function useRefetchOnceJudged(runId: string, judging: Judging): void {
  const queries = useQueryClient();
  const before = useRef(judging);
  useEffect(() => {
    if (before.current === "open" && judging !== "open") {
      void queries.invalidateQueries({ queryKey: runKeys.percentiles(runId) });
      void queries.invalidateQueries({ queryKey: runKeys.timeline(runId) });
    }
    before.current = judging;
  }, [queries, runId, judging]);
}

type Judging = "open" | "judged" | "settled";

/** Returns `open` while verdicts are pending, and `settled` if they ended without covering all data. */
function judgingOf(detail: RunDetail | undefined): Judging {
  if (detail === undefined) return "open";
  if (isJudged(detail)) return "judged";
  return pollJudgedMs(detail, serverNow()) === false ? "settled" : "open";
}

type VerdictsProps = {
  detail: RunDetail | undefined;
  judging: Judging;
  /** Whether the first verdict is shown as an answer with its reason. */
  answered: boolean;
};

function Verdicts({ detail, judging, answered }: VerdictsProps) {
  const verdicts = detail?.verdicts ?? [];
  if (verdicts.length === 0)
    return (
      <p className="dim" role="status">
        {judging === "open" ? "Being judged; verdicts appear here." : "No verdict: no budget applies to what was read."}
      </p>
    );
  return (
    <div>
      {answered && detail !== undefined ? (
        <RunAnswer
          run={detail}
          verdictLink={(text) => (
            <RunLink id={detail.run_id} hash="verdict">
              {text}
            </RunLink>
          )}
          generatorLink={(text) => <RunLink id={detail.run_id}>{text}</RunLink>}
          framed={false}
        />
      ) : (
        <ul className="plain-list wrap" aria-label="Verdicts">
          {verdicts.map((verdict) => (
            <li key={verdict.budget.name} className="row" title={verdict.reason_text ?? undefined}>
              <span className="dim">{verdict.budget.title}</span>
              <VerdictBadge of={verdict} />
            </li>
          ))}
        </ul>
      )}
      {judging === "judged" ? null : (
        <p className="dim" role="status">
          These are of what was there before; the longer log is being judged.
        </p>
      )}
    </div>
  );
}
