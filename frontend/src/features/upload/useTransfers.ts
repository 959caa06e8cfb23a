// Hooks that connect the upload queue to the page and update cached runs after an upload.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { runKeys } from "@/api/queries";
import { uploadKeys } from "@/api/uploads";
import { isUnsent, type Transfer, transferQueue } from "@/entities/upload/transfers";

export const useTransfers = (): readonly Transfer[] =>
  useSyncExternalStore(transferQueue.subscribe, transferQueue.transfers);

// Applies to every page: closing the tab asks for confirmation while files are not stored.
window.addEventListener("beforeunload", (event) => {
  if (transferQueue.transfers().some(isUnsent)) event.preventDefault();
});

/** Calls `onRead` with the id of each upload once it is read. */
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
