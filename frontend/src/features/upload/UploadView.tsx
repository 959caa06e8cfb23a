// One upload: its runs with verdicts, then its files with format and problems.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Upload, UploadFile } from "@/api/types";
import { rawFileAddress, uploadQuery } from "@/api/uploads";
import { Missing } from "@/entities/missing/Missing";
import { DeleteButton } from "@/entities/removal/DeleteButton";
import { FailedWork } from "@/entities/removal/FailedWork";
import type { Transfer } from "@/entities/upload/transfers";
import { formatBytes, formatMoment, sentence } from "@/lib/format";
import { CopyButton } from "@/ui/CopyButton";
import { IconCheck, IconCross, IconDownload, IconLink, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { Problems } from "./Problems";
import { RunCard } from "./RunCard";
import { fileStatus, problemCounts, problemsOf, refusalText, toolText, uploadSummary } from "./wording";

/** Number of runs whose charts are shown from the start. */
const OPEN_RUNS = 2;

type UploadViewProps = {
  uploadId: string;
  transfer: Transfer | undefined;
  onLonger: (files: File[], runId: string) => void;
  onDeleted: () => void;
};

export function UploadView({ uploadId, transfer, onLonger, onDeleted }: UploadViewProps) {
  const query = useQuery(uploadQuery(uploadId));
  const filesId = useId();
  const upload = query.data;
  if (upload === undefined) {
    return <QueryView query={query} what="the upload" lines={3} height={64} missing={<Missing what="upload" />} />;
  }
  const refused = upload.files.filter((file) => file.refusal !== null).length;
  const expected = transfer?.continues ?? null;
  return (
    <>
      <p style={{ fontSize: "1.125rem", fontWeight: 600 }} role="status">
        {upload.state === "waiting"
          ? "The files are stored and wait to be read. This page shows the result as soon as it is there."
          : upload.state === "failed"
            ? `stored, sent ${formatMoment(upload.created_at)}`
            : `${uploadSummary({ files: upload.files.length, runs: upload.runs.length, refused })} · sent ${formatMoment(upload.created_at)}`}
      </p>
      {expected !== null && upload.runs.length > 0 && !upload.runs.some((run) => run.run_id === expected) ? (
        <div className="caution notice" role="status">
          <p>
            <strong>This is another run.</strong> The file does not begin with the bytes of the log that was sent
            before, so nothing was continued; both runs stay. Packed copies cannot be compared: send both unpacked.
          </p>
        </div>
      ) : null}
      {upload.failure === null ? null : (
        <FailedWork subject={{ kind: "upload", id: uploadId }}>
          <p>
            <strong>Reading failed too often.</strong> {sentence(upload.failure)}.
          </p>
        </FailedWork>
      )}
      {upload.runs.length === 0 ? null : (
        <Section
          title={upload.runs.length === 1 ? "The run that was read" : `The ${upload.runs.length} runs that were read`}
          className="stack-8"
        >
          {upload.runs.map((run, index) => (
            <RunCard
              key={run.run_id}
              run={run}
              upload={upload}
              transfer={transfer}
              open={index < OPEN_RUNS}
              first={index === 0}
              onLonger={onLonger}
            />
          ))}
        </Section>
      )}
      <section aria-labelledby={filesId} className="stack-8">
        {/* As high as with the button to delete, which is there when the rights of the reader are known. */}
        <div className="row between" style={{ minHeight: 30 }}>
          <h2 id={filesId}>What was sent</h2>
          {upload.state === "waiting" ? null : (
            <DeleteButton
              subject={{ kind: "upload", id: uploadId }}
              title={upload.files[0]?.name ?? "Upload"}
              onDeleted={onDeleted}
            />
          )}
        </div>
        {upload.files.length === 0 ? null : (
          <div className="ruled">
            {upload.files.map((file) => (
              <FileCard key={file.file_no} file={file} upload={upload} />
            ))}
          </div>
        )}
      </section>
    </>
  );
}

const SIGN_COLORS = { fail: "fail-fill", open: "unsure-fill", good: "pass-fill" } as const;

function FileCard({ file, upload }: { file: UploadFile; upload: Upload }) {
  const problems = problemsOf(file, upload);
  const refused = file.refusal !== null;
  const { word, tone } = fileStatus(file, problems, upload.state);
  const kind = toolText(file);
  const Sign = { fail: IconCross, open: IconWarning, good: file.read_with !== null ? IconLink : IconCheck }[tone];
  return (
    <article className="with-icon" aria-label={file.name}>
      <Sign size={16} color={`var(--${SIGN_COLORS[tone]})`} />
      <div className="stack-4 wrap-anywhere">
        <div className="row">
          <h3 className="small">{file.name}</h3>
          <strong style={{ fontSize: "0.875rem", fontWeight: "var(--w-label)" }}>{word}</strong>
          <span className="dim num">{formatBytes(file.size_bytes)}</span>
        </div>
        {refused ? (
          <RefusalWords file={file} />
        ) : upload.state === "waiting" ? null : (
          <p>
            {kind === null ? "Not recognised" : <strong>{kind}</strong>}
            {file.format === null || file.format === kind ? null : <span className="dim"> ({file.format})</span>}
            {file.reason === null ? null : <span>, because {file.reason}</span>}
            {file.read_with === null ? null : <span>. Read with {file.read_with}</span>}.
          </p>
        )}
        {problems.length === 0 ? null : (
          <>
            <p className="dim">{problemCounts(problems)}</p>
            <Problems problems={problems} file={{ sha256: file.sha256, member: file.member, name: file.name }} />
          </>
        )}
        <p className="row smaller">
          <a className="icon-text" href={rawFileAddress(file.sha256)} download>
            <IconDownload size={14} /> {file.member === null ? "Download as sent" : "Download the archive as sent"}
          </a>
          <span className="dim">SHA-256</span>{" "}
          <code className="mono truncate" style={{ maxWidth: "min(30ch, 24vw)" }} title={file.sha256}>
            {file.sha256}
          </code>
          <CopyButton text={file.sha256} what={`the SHA-256 of ${file.name}`} />
        </p>
      </div>
    </article>
  );
}

/** Shows why a file was refused and what to do; the file stays stored, so that a newer version can read it. */
function RefusalWords({ file }: { file: UploadFile }) {
  const text = refusalText(file);
  return (
    <div className="stack-4" style={{ maxWidth: "88ch" }}>
      <p>
        {text}
        {/[.!?]$/.test(text) ? "" : "."} <Link to="/formats">Which files are read</Link>
      </p>
      <p className="dim">
        The file is stored as it is. If it is a result file, look whether it was cut off at its beginning or exported by
        another program; send it again once it is mended.
      </p>
    </div>
  );
}
