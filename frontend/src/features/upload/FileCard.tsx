// Uploaded file: recognised format, problems with their lines, and the original for download.
import { Link } from "@tanstack/react-router";
import type { Upload, UploadFile } from "@/api/types";
import { rawFileAddress } from "@/api/uploads";
import { formatBytes } from "@/lib/format";
import { CopyButton } from "@/ui/CopyButton";
import { IconCheck, IconCross, IconDownload, IconLink, IconWarning } from "@/ui/icons";
import classes from "./FileCard.module.css";
import { Problems } from "./Problems";
import { fileStatus, problemCounts, problemsOf, refusalText, toolText } from "./wording";

const SIGN_COLORS = { fail: "fail-fill", open: "unsure-fill", good: "pass-fill" } as const;

export function FileCard({ file, upload }: { file: UploadFile; upload: Upload }) {
  const problems = problemsOf(file, upload);
  const refused = file.refusal !== null;
  const { word, tone } = fileStatus(file, problems, upload.state);
  const kind = toolText(file);
  const Sign = { fail: IconCross, open: IconWarning, good: file.read_with !== null ? IconLink : IconCheck }[tone];
  return (
    <article className={classes["file"]} aria-label={file.name}>
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
