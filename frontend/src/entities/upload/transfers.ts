// Queue of file uploads, sent one after another. Files stay until removed from the list. Independent of React, so that
// uploads continue while another page is open.

import type { QueryClient } from "@tanstack/react-query";
import { type ReadingOptions, type Sending, sendFiles, type UploadResult } from "@/api/sendFiles";
import type { Upload } from "@/api/types";
import { uploadKeys } from "@/api/uploads";

/** Measured time of a run when files were chosen, to report afterwards how much they added. */
export type MeasuredTime = { readonly title: string; readonly measuredNs: number | null };

export type TransferState =
  | { readonly step: "waiting" }
  | { readonly step: "sending"; readonly sentBytes: number; readonly totalBytes: number }
  /** All bytes are sent; the server stores and reads the files. */
  | { readonly step: "reading" }
  | { readonly step: "done"; readonly uploadId: string; readonly isNew: boolean; readonly upload: Upload | null }
  | { readonly step: "failed"; readonly error: Error }
  | { readonly step: "cancelled" };

export type Transfer = {
  readonly id: number;
  readonly files: readonly File[];
  readonly totalBytes: number;
  readonly state: TransferState;
  /** Id of the run that these files continue, if chosen. */
  readonly continues: string | null;
  readonly reaches: ReadonlyMap<string, MeasuredTime>;
  readonly options: ReadingOptions;
};

type Send = (files: readonly File[], sending: Sending) => Promise<UploadResult>;

export type TransferOptions = ReadingOptions & {
  readonly continues?: string | null;
  readonly reaches?: ReadonlyMap<string, MeasuredTime>;
};

const isAtWork = ({ state }: Transfer): boolean => state.step === "sending" || state.step === "reading";

/** Returns whether closing the page would lose files: the server has not stored them yet. */
export const isUnsent = ({ state }: Transfer): boolean => state.step !== "done";

/** Files that operating systems add to folders. */
const SYSTEM_FILES = [".DS_Store", "Thumbs.db", "desktop.ini"];

export class TransferQueue {
  #transfers: readonly Transfer[] = [];
  #lastId = 0;
  #abort: AbortController | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #doneListeners = new Set<(transfer: Transfer) => void>();
  readonly #send: Send;

  constructor(send: Send = sendFiles) {
    this.#send = send;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a listener, called once for each upload that is done. Returns a function that removes it. */
  readonly onDone = (listener: (transfer: Transfer) => void): (() => void) => {
    this.#doneListeners.add(listener);
    return () => this.#doneListeners.delete(listener);
  };

  readonly transfers = (): readonly Transfer[] => this.#transfers;

  /** Adds files as one upload, since some formats need several files. Leaves out those of operating systems. */
  readonly add = (
    chosen: readonly File[],
    { continues = null, reaches = new Map(), ...options }: TransferOptions = {},
  ): void => {
    const files = chosen.filter(({ name }) => !SYSTEM_FILES.includes(name) && !name.startsWith("._"));
    if (files.length === 0) return;
    this.#lastId += 1;
    const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
    this.#set([
      ...this.#transfers,
      { id: this.#lastId, files, totalBytes, state: { step: "waiting" }, continues, reaches, options },
    ]);
    void this.#next();
  };

  /** Cancels an upload; its files stay for a retry. The server can still store files that it began to read. */
  readonly cancel = (id: number): void => {
    const current = this.#transfers.find((transfer) => transfer.id === id);
    if (current === undefined) return;
    if (isAtWork(current)) this.#abort?.abort();
    else if (current.state.step === "waiting") this.#change(id, { step: "cancelled" });
  };

  readonly retry = (id: number): void => {
    const current = this.#transfers.find((transfer) => transfer.id === id);
    if (current?.state.step !== "failed" && current?.state.step !== "cancelled") return;
    this.#change(id, { step: "waiting" });
    void this.#next();
  };

  /** Removes an upload and its files, after cancelling it if it is in progress. */
  readonly remove = (id: number): void => {
    this.cancel(id);
    this.#set(this.#transfers.filter((transfer) => transfer.id !== id));
  };

  async #next(): Promise<void> {
    if (this.#transfers.some(isAtWork)) return;
    const next = this.#transfers.find((transfer) => transfer.state.step === "waiting");
    if (next === undefined) return;
    const { id } = next;
    this.#abort = new AbortController();
    this.#change(id, { step: "sending", sentBytes: 0, totalBytes: next.totalBytes });
    try {
      const sent = await this.#send(next.files, {
        signal: this.#abort.signal,
        ...next.options,
        onProgress: (sentBytes, totalBytes) =>
          this.#change(id, sentBytes < totalBytes ? { step: "sending", sentBytes, totalBytes } : { step: "reading" }),
      });
      this.#change(id, { step: "done", uploadId: sent.uploadId, isNew: sent.isNew, upload: sent.upload });
      const done = this.#transfers.find((transfer) => transfer.id === id);
      if (done !== undefined) for (const listener of this.#doneListeners) listener(done);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const cancelled = thrown instanceof DOMException && thrown.name === "AbortError";
      this.#change(id, cancelled ? { step: "cancelled" } : { step: "failed", error });
    }
    void this.#next();
  }

  #change(id: number, state: TransferState): void {
    this.#set(this.#transfers.map((transfer) => (transfer.id === id ? { ...transfer, state } : transfer)));
  }

  #set(transfers: readonly Transfer[]): void {
    this.#transfers = transfers;
    for (const listener of this.#listeners) listener();
  }
}

/** The upload queue of this browser tab. */
export const transferQueue = new TransferQueue();

/** Returns the measured time of each run of the uploads in the cache, by run id. */
export function measuredTimes(queries: QueryClient): Map<string, MeasuredTime> {
  const reaches = new Map<string, MeasuredTime>();
  for (const [, upload] of queries.getQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] })) {
    for (const run of upload?.runs ?? [])
      reaches.set(run.run_id, { title: run.title, measuredNs: run.measured_duration_ns });
  }
  return reaches;
}
