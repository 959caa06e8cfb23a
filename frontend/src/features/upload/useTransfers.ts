// Ties the queue of transfers to the page: what it shows, what it remembers of runs before, and what a finished one changes.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { runKeys } from "@/api/queries";
import { uploadKeys } from "@/api/uploads";
import { isUnsent, type Transfer, transferQueue } from "@/entities/upload/transfers";

export const useTransfers = (): readonly Transfer[] =>
  useSyncExternalStore(transferQueue.subscribe, transferQueue.transfers);

// On every page: closing the tab asks first while files are not stored.
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
