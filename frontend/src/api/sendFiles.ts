// Sends files and reports the progress. By XMLHttpRequest: fetch has no progress for a request body, and the
// clients on top of it (openapi-fetch among them) cannot either.
import { ApiProblem, BackendUnreachable } from "./problem";
import { learnServerTime } from "./serverClock";
import type { Upload } from "./types";

/** How files are read. Nothing is chosen by default. */
export type ReadingOptions = {
  /** The files are of several clients of one test: they are added up. */
  readonly join?: boolean;
  /** The metric that is meant of a file of production histograms. */
  readonly metric?: string;
  /** Labels of the histograms that are meant. */
  readonly match?: string;
};

export type Sending = ReadingOptions & {
  /** What has left, of all bytes of the form; called with `sent === total` once all of it has. */
  readonly onProgress: (sentBytes: number, totalBytes: number) => void;
  readonly signal: AbortSignal;
};

/** What the server made of the files; a refusal of every file is such an answer too, when the upload was kept. */
export type Sent =
  | { readonly upload: Upload; readonly uploadId: string; readonly isNew: boolean }
  | { readonly upload: null; readonly uploadId: string; readonly isNew: boolean };

const UPLOAD_ADDRESS = /\/api\/v1\/uploads\/([0-9a-f-]{36})$/;

/** Reads the answer to an upload. Throws ApiProblem unless the upload is kept. */
export function readAnswer(status: number, text: string, location: string | null): Sent {
  const body = parsed(text);
  if (status >= 200 && status < 300 && typeof (body as Partial<Upload> | null)?.upload_id === "string") {
    const upload = body as Upload;
    return { upload, uploadId: upload.upload_id, isNew: status !== 200 };
  }
  const uploadId = UPLOAD_ADDRESS.exec(location ?? "")?.[1];
  // Nothing could be read, but the files are stored: the problems of each are under that address.
  if (status === 422 && uploadId !== undefined) return { upload: null, uploadId: uploadId, isNew: false };
  throw ApiProblem.from(status, body);
}

/** Resolves with the answer; rejects with ApiProblem, BackendUnreachable, or an AbortError when cancelled. */
export function sendFiles(
  files: readonly File[],
  { onProgress, signal, join = false, metric = "", match = "" }: Sending,
): Promise<Sent> {
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
        learnServerTime(request.getResponseHeader("date"));
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
