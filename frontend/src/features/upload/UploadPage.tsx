// Upload page: drop logs, check what was read, add missing facts, publish the run or leave it private.
import { Checkbox, TextInput } from "@mantine/core";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useId, useState, useSyncExternalStore } from "react";
import { runKeys } from "@/api/queries";
import type { ReadingOptions } from "@/api/sendFiles";
import { serverNow } from "@/api/serverClock";
import type { Schemas } from "@/api/types";
import { uploadKeys, uploadsQuery } from "@/api/uploads";
import { Missing } from "@/entities/missing/Missing";
import { isUnsent, measuredTimes, transferQueue } from "@/entities/upload/transfers";
import { formatAgo, formatMoment, joinParts, plural } from "@/lib/format";
import { isId } from "@/lib/ids";
import { Command } from "@/ui/Command";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { MoreButton, QueryView } from "@/ui/states";
import { useNow } from "@/ui/useNow";
import { usePageTitle } from "@/ui/usePageTitle";
import type { UploadChange, UploadSearch } from "./address";
import { DropArea } from "./DropArea";
import { TransferList } from "./TransferList";
import { UploadView } from "./UploadView";
import { uploadSummary } from "./wording";

export function UploadPage({ view, onView }: { view: UploadSearch; onView: (change: UploadChange) => void }) {
  usePageTitle("Upload a run");
  const queries = useQueryClient();
  const transfers = useSyncExternalStore(transferQueue.subscribe, transferQueue.transfers);
  const show = useCallback((upload: string) => onView({ upload }), [onView]);
  useTransferEffects(show);
  const [options, setOptions] = useState<ReadingOptions>({});
  const send = (files: File[], continues: string | null = null) =>
    transferQueue.add(files, {
      continues,
      reaches: measuredTimes(queries),
      ...options,
      join: options.join === true && continues === null,
    });
  const busy = view.upload !== undefined || transfers.length > 0;
  const transfer = transfers.findLast(
    (candidate) => candidate.state.step === "done" && candidate.state.uploadId === view.upload,
  );
  return (
    <div className="stack-24">
      <h1>Upload a run</h1>
      <DropArea onFiles={(files) => send(files)} compact={busy} />
      <ReadingOptionsFields options={options} onChange={setOptions} />
      <TransferList transfers={transfers} shown={view.upload} onShow={show} />
      {view.upload === undefined ? null : !isId(view.upload) ? (
        <Missing what="upload" />
      ) : (
        // What follows stays below the screen while the upload is being read.
        <div style={{ minHeight: "calc(100vh - 240px)" }}>
          <UploadView
            key={view.upload}
            uploadId={view.upload}
            transfer={transfer}
            onLonger={send}
            onDeleted={() => onView({ upload: undefined })}
          />
        </div>
      )}
      <RecentUploads shown={view.upload} />
      <details>
        <summary>From a command line</summary>
        <div className="stack-8 items-start">
          <p>Send files, and get the links:</p>
          <Command text="tailroom upload FILE…" />
          <p>Read a file without sending it:</p>
          <Command text="tailroom inspect FILE…" />
        </div>
      </details>
    </div>
  );
}

type ReadingOptionsFieldsProps = { options: ReadingOptions; onChange: (options: ReadingOptions) => void };

function ReadingOptionsFields({ options, onChange }: ReadingOptionsFieldsProps) {
  return (
    <details>
      <summary>How files are read</summary>
      <div className="stack-12" style={{ paddingTop: 12 }}>
        <Checkbox
          checked={options.join ?? false}
          onChange={(event) => onChange({ ...options, join: event.currentTarget.checked })}
          label="Files sent together are the clients of one test"
          description="They become one run: their counts are added up, and what differs between them is named."
        />
        <div className="halves">
          <TextInput
            label="Metric of a Prometheus or OpenTelemetry file"
            description="Without it every histogram of times becomes a run."
            placeholder="http_server_duration_seconds"
            maxLength={200}
            value={options.metric ?? ""}
            onChange={(event) => onChange({ ...options, metric: event.currentTarget.value.trim() })}
          />
          <TextInput
            label="Labels"
            description="Histograms that have them are added up."
            placeholder={'route="/pay",method!="GET"'}
            maxLength={4000}
            value={options.match ?? ""}
            onChange={(event) => onChange({ ...options, match: event.currentTarget.value })}
          />
        </div>
      </div>
    </details>
  );
}

// Applies to every page: closing the tab asks for confirmation while files are not stored.
window.addEventListener("beforeunload", (event) => {
  if (transferQueue.transfers().some(isUnsent)) event.preventDefault();
});

/** Calls `onRead` with the id of each upload once it is read. */
function useTransferEffects(onRead: (uploadId: string) => void): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      transferQueue.onDone(({ state }) => {
        if (state.step !== "done") return;
        if (state.upload !== null) {
          queries.setQueryData(uploadKeys.one(state.uploadId), state.upload);
          for (const run of state.upload.runs) void queries.invalidateQueries({ queryKey: runKeys.one(run.run_id) });
        }
        void queries.invalidateQueries({ queryKey: uploadKeys.list() });
        void queries.invalidateQueries({ queryKey: runKeys.lists() });
        onRead(state.uploadId);
      }),
    [queries, onRead],
  );
}

function RecentUploads({ shown }: { shown: string | undefined }) {
  const uploads = useInfiniteQuery(uploadsQuery());
  const now = useNow(serverNow, 30_000);
  const titleId = useId();
  const all = uploads.data?.pages.flatMap((page) => page.uploads) ?? [];
  if (uploads.data !== undefined && all.length === 0) return null;
  return (
    <section aria-labelledby={titleId} className="stack-8">
      <div className="row between">
        <h2 id={titleId}>Recent uploads</h2>
        {uploads.data === undefined ? null : (
          <p className="dim num">
            {all.length} of {uploads.data.pages[0]?.total ?? all.length}
          </p>
        )}
      </div>
      {uploads.data === undefined ? (
        <QueryView query={uploads} what="recent uploads" lines={3} height={40} />
      ) : (
        <DataTable label="Recent uploads, as a table" columns={columnsOf(shown, now)} rows={all} rowId="upload_id" />
      )}
      <MoreButton pages={uploads} size="xs" className="self-start">
        Show more
      </MoreButton>
    </section>
  );
}

const columnsOf = (shown: string | undefined, now: number): Columns<Schemas["UploadSummaryOut"]> => [
  {
    header: "Files",
    accessorFn: ({ upload_id, first_name, file_count }) => (
      <Link to="/upload" search={{ upload: upload_id }} aria-current={upload_id === shown ? "page" : undefined}>
        {first_name}
        {file_count > 1 ? ` and ${file_count - 1} more` : ""}
      </Link>
    ),
    meta: ROW_HEADER,
  },
  { header: "Result", accessorFn: resultText, meta: { onPhone: "wide" } },
  {
    header: "Sent",
    accessorFn: ({ created_at }) => formatAgo(now - Date.parse(created_at)),
    meta: { ...RIGHT, cell: ({ created_at }) => ({ title: formatMoment(created_at) }) },
  },
];

function resultText({
  state,
  file_count,
  run_count,
  refused_count,
  problem_count,
}: Schemas["UploadSummaryOut"]): string {
  if (state === "waiting") return "waits to be read";
  const summary = uploadSummary({ files: file_count, runs: run_count, refused: refused_count });
  return joinParts(
    [state === "failed" ? "could not be read" : summary, problem_count > 0 && plural(problem_count, "problem")],
    ", ",
  );
}
