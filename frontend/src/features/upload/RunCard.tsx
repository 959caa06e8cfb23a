// One run that was read: how it ended, what it shows, what others would need to know about it, and who may see it.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useRef, useState } from "react";
import { runDetailQuery } from "@/api/queries";
import type { Upload, UploadedRun } from "@/api/types";
import { formatBytes, formatMoment, formatSpan } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { plural } from "@/lib/words";
import { IconUpload, IconWarning } from "@/ui/icons";
import { Loading } from "@/ui/states";
import { VerdictBadge } from "@/ui/VerdictBadge";
import { DisclosureForm } from "./DisclosureForm";
import { wanted } from "./DropArea";
import { Problems } from "./Problems";
import classes from "./RunCard.module.css";
import { SeriesTable } from "./SeriesTable";
import { Sharing } from "./Sharing";
import type { Transfer } from "./transfers";
import { endMeaning, endName, growth, mayGoOn } from "./wording";

const RunPreview = lazy(() => import("./RunPreview").then((module) => ({ default: module.RunPreview })));

type RunCardProps = {
  run: UploadedRun;
  upload: Upload;
  /** The transfer that brought it, where that happened in this tab. */
  transfer: Transfer | undefined;
  /** No verdict will come any more. */
  settled: boolean;
  open: boolean;
  onLonger: (files: File[], runId: string) => void;
};

export function RunCard({ run, upload, transfer, settled, open, onLonger }: RunCardProps) {
  const [pictures, setPictures] = useState(open);
  const others = upload.runs.filter((one) => one.run_id !== run.run_id);
  const own = upload.files.filter((file) => file.run_ids.includes(run.run_id));
  // What belongs to a file stands there; the rest would be lost without this.
  const unplaced = run.problems.filter(
    (problem) => own.length === 0 && !upload.files.some((file) => file.name === problem.file),
  );
  return (
    <article className={classes["card"]} aria-label={run.title}>
      <header className={classes["head"]}>
        <div>
          <h3>
            <Link to="/runs/$runId" params={{ runId: run.run_id }} preload="intent">
              {run.title}
            </Link>
          </h3>
          <p className="dim">
            {run.measured_duration_ns === null ? null : (
              <>{formatSpan(nanoseconds(run.measured_duration_ns))} measured · </>
            )}
            {run.started_at_known ? `began ${formatMoment(run.started_at)}` : "start not known"} · from{" "}
            {own.map((file) => file.name).join(", ")}
          </p>
        </div>
        <p className={classes["links"]}>
          <Link to="/runs/$runId" params={{ runId: run.run_id }}>
            Open the run page
          </Link>
          <Link to="/sla" search={{ run: run.run_id }}>
            Check my SLA on it
          </Link>
        </p>
      </header>
      <End run={run} onLonger={onLonger} />
      <Continued run={run} transfer={transfer} />
      {run.closed_loop ? (
        <p className={classes["notice"]}>
          <IconWarning size={16} />
          <span>
            <strong>Response time unknown (closed loop).</strong> The tool waited for each answer before the next
            operation, so waiting in a queue is not in these figures. They are service times at best.
          </span>
        </p>
      ) : null}
      <Verdicts run={run} settled={settled} />
      <Problems problems={unplaced} file={null} />
      {pictures ? (
        <Suspense fallback={<Loading what="the preview" lines={1} height={264} />}>
          <RunPreview runId={run.run_id} judged={run.verdicts.length > 0 || settled} />
        </Suspense>
      ) : (
        <Button size="xs" variant="default" className={classes["start"] ?? ""} onClick={() => setPictures(true)}>
          Show the pictures
        </Button>
      )}
      <details className={classes["part"]} open={run.series.length <= 6 && open}>
        <summary>{plural(run.series.length, "series", "series")} read</summary>
        <SeriesTable run={run} />
      </details>
      <DisclosureForm run={run} others={others} />
      <Sharing run={run} />
    </article>
  );
}

function End({ run, onLonger }: Pick<RunCardProps, "run" | "onLonger">) {
  const picker = useRef<HTMLInputElement>(null);
  const whole = run.end_state === "finished";
  return (
    <div className={classes["end"]} data-whole={whole || undefined}>
      <p>
        <strong>{endName(run.end_state)}.</strong> {endMeaning(run)}
      </p>
      {mayGoOn(run.end_state) ? (
        <div className={classes["again"]}>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUpload size={14} />}
            onClick={() => picker.current?.click()}
          >
            Send it again, longer
          </Button>
          <span className="dim">The same log with more at its end continues this run: its link stays.</span>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label={`A longer copy of ${run.title}`}
            onChange={(event) => {
              onLonger(wanted(event.currentTarget.files ?? []), run.run_id);
              event.currentTarget.value = "";
            }}
          />
        </div>
      ) : null}
    </div>
  );
}

/** That a run has grown, and by how much: by the copies that are kept, and by what this tab knew of it before. */
function Continued({ run, transfer }: Pick<RunCardProps, "run" | "transfer">) {
  const detail = useQuery(runDetailQuery(run.run_id)).data;
  const before = transfer?.known.get(run.run_id);
  const grown = before === undefined ? null : growth(before.measuredNs, run.measured_duration_ns);
  const copies = [...(detail?.files ?? [])].sort((a, b) => a.size_bytes - b.size_bytes);
  if (grown === null && copies.length < 2) return null;
  return (
    <p className={classes["notice"]} data-tone="good" role="status">
      <IconUpload size={16} />
      <span>
        <strong>Continued.</strong> The same run, under the same link{grown === null ? "" : `: ${grown}`}.
        {copies.length < 2 ? null : (
          <span className="dim">
            {" "}
            {plural(copies.length, "copy", "copies")} of the log are kept, of{" "}
            {copies.map((one) => formatBytes(one.size_bytes)).join(", ")}; what is shown was read from the longest.
          </span>
        )}
      </span>
    </p>
  );
}

function Verdicts({ run, settled }: Pick<RunCardProps, "run" | "settled">) {
  if (run.verdicts.length === 0)
    return (
      <p className="dim" role="status">
        {settled ? "No verdict: none of the budgets applies to what was read." : "Being judged; verdicts appear here."}
      </p>
    );
  return (
    <ul className={classes["verdicts"]} aria-label="Verdicts">
      {run.verdicts.map((verdict) => (
        <li key={verdict.budget_name}>
          <span className="dim">{verdict.budget_title}</span>
          <VerdictBadge verdict={verdict.verdict} reason={verdict.reason} provisional={verdict.provisional} />
        </li>
      ))}
    </ul>
  );
}
