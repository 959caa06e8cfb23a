// Ties the queue of transfers to the page: what it shows, what it remembers of runs before, and what a finished one changes.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { runKeys } from "@/api/queries";
import type { Upload } from "@/api/types";
import { uploadKeys } from "@/api/uploads";
import { isUnsent, type Reach, type Transfer, transferQueue } from "./transfers";

export const useTransfers = (): readonly Transfer[] =>
  useSyncExternalStore(transferQueue.subscribe, transferQueue.transfers);

/** How far the runs that this tab has seen have come. */
export function knownReach(queries: QueryClient): Map<string, Reach> {
  const known = new Map<string, Reach>();
  for (const [, upload] of queries.getQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] })) {
    for (const run of upload?.runs ?? [])
      known.set(run.run_id, { title: run.title, measuredNs: run.measured_duration_ns });
  }
  return known;
}

// From whichever page: nobody closes the tab on files that are not kept yet without being asked.
window.addEventListener("beforeunload", (event) => {
  if (transferQueue.transfers().some(isUnsent)) event.preventDefault();
});

/** Calls `onRead` with each upload as it is read. */
export function useTransferEffects(onRead: (uploadId: string) => void): void {
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
