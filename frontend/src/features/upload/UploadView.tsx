// One upload: its runs with verdicts, then its files with format and problems.
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { uploadQuery } from "@/api/uploads";
import { Missing } from "@/entities/missing/Missing";
import { DeleteButton } from "@/entities/removal/DeleteButton";
import { FailedWork } from "@/entities/removal/FailedWork";
import type { Transfer } from "@/entities/upload/transfers";
import { formatMoment, sentence } from "@/lib/format";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { FileCard } from "./FileCard";
import { RunCard } from "./RunCard";
import { uploadSummary } from "./wording";

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
          <div className="card">
            {upload.files.map((file) => (
              <FileCard key={file.file_no} file={file} upload={upload} />
            ))}
          </div>
        )}
      </section>
    </>
  );
}
