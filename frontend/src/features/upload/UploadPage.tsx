// Upload page: drop logs, check what was read, add missing facts, publish the run or leave it private.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { ReadingOptions } from "@/api/sendFiles";
import { Missing } from "@/entities/missing/Missing";
import { measuredTimes } from "@/entities/upload/files";
import { transferQueue } from "@/entities/upload/transfers";
import { isId } from "@/lib/ids";
import { Command } from "@/ui/Command";
import { usePageTitle } from "@/ui/usePageTitle";
import { DropArea } from "./DropArea";
import { ReadingOptionsFields } from "./ReadingOptionsFields";
import { RecentUploads } from "./RecentUploads";
import { TransferList } from "./TransferList";
import { UploadView } from "./UploadView";
import { useTransferEffects, useTransfers } from "./useTransfers";

export type UploadSearch = { upload?: string | undefined };

export function UploadPage({ view, onView }: { view: UploadSearch; onView: (change: UploadSearch) => void }) {
  usePageTitle("Upload a run");
  const queries = useQueryClient();
  const transfers = useTransfers();
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
