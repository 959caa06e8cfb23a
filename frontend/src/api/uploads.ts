// Requests of the upload page. Files and runs are polled only while their results can change.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, get, getQuery, replaceAnswer, unwrap } from "./client";
import { runDetailQuery, runKeys } from "./queries";
import { serverNow } from "./serverClock";
import type { Answers, RunDetail, Schemas, Upload, UploadedRun } from "./types";

/** Names of an organisation's own machines in a run, by kind. */
export type RunNames = Schemas["RunNamesOut"];
export type NameKind = keyof RunNames;

export const uploadKeys = {
  all: ["uploads"] as const,
  list: () => [...uploadKeys.all, "list"] as const,
  one: (uploadId: string) => [...uploadKeys.all, "one", uploadId] as const,
};

const UPLOADS_ON_A_PAGE = 10;
/** Polling interval of files that are not read yet, in milliseconds. */
const UNREAD_POLL_MS = 2_000;

/** Time after the last data within which verdicts are expected, in milliseconds. */
const JUDGED_WITHIN_MS = 120_000;
const QUICK_MS = 10_000;

type JudgedRun = Pick<RunDetail, "verdicts" | "data_through_ns" | "judged_at" | "last_data_at">;

/**
 * Returns whether all verdicts cover all data. A verdict of an earlier, shorter reading does not. A run that answers no
 * question is judged without any verdict.
 */
export function isJudged({ verdicts, data_through_ns, judged_at, last_data_at }: JudgedRun): boolean {
  if (verdicts.length > 0) return verdicts.every((verdict) => verdict.data_through_ns >= data_through_ns);
  return judged_at !== null && !(Date.parse(judged_at) < Date.parse(last_data_at ?? ""));
}

/** Returns the polling interval in milliseconds; false if verdicts are complete or will not follow. */
export function pollJudgedMs(run: RunDetail | undefined, nowMs: number): number | false {
  if (run === undefined || isJudged(run)) return false;
  const ageMs = nowMs - Date.parse(run.last_data_at ?? "");
  if (!(ageMs < JUDGED_WITHIN_MS)) return false;
  return ageMs < QUICK_MS ? 1_000 : 3_000;
}

/** Returns a run; polled until its verdicts are complete. */
export const judgedRunQuery = (runId: string) =>
  queryOptions({
    ...runDetailQuery(runId),
    refetchInterval: ({ state }) => pollJudgedMs(state.data, serverNow()),
  });

export const uploadQuery = (uploadId: string) =>
  getQuery(
    uploadKeys.one(uploadId),
    "/api/v1/uploads/{upload_id}",
    { path: { upload_id: uploadId } },
    { staleTime: 2_000, refetchInterval: ({ state }) => (state.data?.state === "waiting" ? UNREAD_POLL_MS : false) },
  );

export const uploadsQuery = () =>
  infiniteQueryOptions({
    queryKey: uploadKeys.list(),
    queryFn: ({ pageParam, signal }) =>
      get(
        "/api/v1/uploads",
        { query: { limit: UPLOADS_ON_A_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    staleTime: 10_000,
  });

export type FileOfLines = { readonly sha256: string; readonly member: string | null };

const LINES_AROUND = 2;

export const linesQuery = (file: FileOfLines, line: number) =>
  getQuery(
    [...uploadKeys.all, "lines", file.sha256, file.member, line],
    "/api/v1/raw-files/{sha256}/lines",
    {
      path: { sha256: file.sha256 },
      query: { line, context: LINES_AROUND, ...(file.member === null ? {} : { member: file.member }) },
    },
    // A stored file never changes.
    { staleTime: Number.POSITIVE_INFINITY },
  );

/** Returns the download URL of a stored file. */
export const rawFileAddress = (sha256: string): string => `/api/v1/raw-files/${sha256}`;

function withDetail(run: UploadedRun, detail: RunDetail): UploadedRun {
  if (run.run_id !== detail.run_id) return run;
  const { disclosure, visibility, started_at, started_at_known } = detail;
  return { ...run, disclosure, visibility, started_at, started_at_known };
}

/** Updates all queries that show this run: its page, run lists, and its uploads. */
async function changed(queries: QueryClient, detail: RunDetail): Promise<void> {
  await replaceAnswer(queries, runKeys.detail(detail.run_id), detail);
  // Immediate, so that a saved answer stays in its field until the upload is refetched.
  queries.setQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] }, (upload) =>
    upload === undefined ? undefined : { ...upload, runs: upload.runs.map((run) => withDetail(run, detail)) },
  );
  void queries.invalidateQueries({ queryKey: runKeys.lists() });
  void queries.invalidateQueries({ queryKey: [...uploadKeys.all, "one"] });
}

/** Adds facts that the file does not state. `null` removes an answer. */
export async function answerDisclosure(queries: QueryClient, runId: string, answers: Answers): Promise<RunDetail> {
  const detail = await unwrap(
    client.PATCH("/api/v1/runs/{run_id}/disclosure", { params: { path: { run_id: runId } }, body: { answers } }),
  );
  await changed(queries, detail);
  return detail;
}

/** Adds facts to a run of an upload. A unit makes the server read its files again. */
export async function answerUpload(
  queries: QueryClient,
  uploadId: string,
  runId: string,
  answers: Answers,
): Promise<Upload> {
  const upload = await unwrap(
    client.PATCH("/api/v1/uploads/{upload_id}/answers", {
      params: { path: { upload_id: uploadId } },
      body: { answers, run_id: runId },
    }),
  );
  await replaceAnswer(queries, uploadKeys.one(uploadId), upload);
  void queries.invalidateQueries({ queryKey: runKeys.all });
  return upload;
}

export const runNamesQuery = (runId: string) =>
  getQuery([...runKeys.all, "names", runId], "/api/v1/runs/{run_id}/names", { path: { run_id: runId } });

/** Publishes a run. Others see neutral machine names, except for the kinds in `shown`. */
export async function publishRun(queries: QueryClient, runId: string, shown: NameKind[]): Promise<RunDetail> {
  const detail = await unwrap(
    client.POST("/api/v1/runs/{run_id}/publish", { params: { path: { run_id: runId } }, body: { shown } }),
  );
  await changed(queries, detail);
  return detail;
}

/** Withdraws a published run. Visitors with the link see the reason, unless it is empty. */
export async function retractRun(queries: QueryClient, runId: string, reason: string): Promise<RunDetail> {
  const trimmed = reason.trim();
  const detail = await unwrap(
    client.POST("/api/v1/runs/{run_id}/retract", {
      params: { path: { run_id: runId } },
      body: { reason: trimmed === "" ? null : trimmed },
    }),
  );
  await changed(queries, detail);
  return detail;
}
