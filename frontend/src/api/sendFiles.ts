// Uploads files with progress, by XMLHttpRequest: fetch and the clients built on it report none for request bodies.
import { ApiProblem, BackendUnreachable } from "./problem";
import { updateServerTime } from "./serverClock";
import type { Upload } from "./types";

/** Options for reading the files. All are unset by default. */
export type ReadingOptions = {
  /** The files are from several clients of one test: their results are summed. */
  readonly join?: boolean;
  /** Metric to read from a file of production histograms. */
  readonly metric?: string;
  /** Label matcher of the histograms to read. */
  readonly match?: string;
};

export type Sending = ReadingOptions & {
  /** Called with the bytes sent, of the form's total; both are equal after the last byte. */
  readonly onProgress: (sentBytes: number, totalBytes: number) => void;
  readonly signal: AbortSignal;
};

/** Result of an upload. `upload` is `null` if the server stored the files but could not read any of them. */
export type UploadResult = { readonly upload: Upload | null; readonly uploadId: string; readonly isNew: boolean };

const UPLOAD_ADDRESS = /\/api\/v1\/uploads\/([0-9a-f-]{36})$/;

/** Parses the response to an upload. Throws `ApiProblem` if the server did not store it. */
export function readAnswer(status: number, text: string, location: string | null): UploadResult {
  const body = parsed(text);
  if (status >= 200 && status < 300 && typeof (body as Partial<Upload> | null)?.upload_id === "string") {
    const upload = body as Upload;
    return { upload, uploadId: upload.upload_id, isNew: status !== 200 };
  }
  const uploadId = UPLOAD_ADDRESS.exec(location ?? "")?.[1];
  // No file could be read, but all are stored: the upload at that address lists the problems of each.
  if (status === 422 && uploadId !== undefined) return { upload: null, uploadId, isNew: false };
  throw ApiProblem.from(status, body);
}

/** Resolves with the parsed response. Rejects with `ApiProblem`, `BackendUnreachable`, or `AbortError` if cancelled. */
export function sendFiles(
  files: readonly File[],
  { onProgress, signal, join = false, metric = "", match = "" }: Sending,
): Promise<UploadResult> {
  return new Promise((resolve, reject) => {
    const cancelled = () => new DOMException("The upload was cancelled.", "AbortError");
    if (signal.aborted) {
      reject(cancelled());
      return;
    }
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    if (join) form.append("join", "true");
    if (metric !== "") form.append("metric", metric);
    if (match !== "") form.append("match", match);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const settle = (end: () => void) => {
      signal.removeEventListener("abort", abort);
      end();
    };
    request.upload.onprogress = (event) => onProgress(event.loaded, event.total);
    request.onload = () =>
      settle(() => {
        updateServerTime(request.getResponseHeader("date"));
        try {
          resolve(readAnswer(request.status, request.responseText, request.getResponseHeader("location")));
        } catch (problem) {
          reject(problem);
        }
      });
    request.onerror = () => settle(() => reject(new BackendUnreachable()));
    request.onabort = () => settle(() => reject(cancelled()));
    signal.addEventListener("abort", abort);
    request.open("POST", "/api/v1/uploads");
    request.setRequestHeader("accept", "application/json");
    request.send(form);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
