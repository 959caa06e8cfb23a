// Requests of the upload page. Files and runs are polled only while their results can change.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, getQuery, inPath, pagesQuery, storeAnswer, type unwrap } from "./client";
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

export const uploadsQuery = () => ({
  ...pagesQuery(uploadKeys.list(), "/api/v1/uploads", { limit: UPLOADS_ON_A_PAGE }),
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

export const rawFileAddress = (sha256: string): string => `/api/v1/raw-files/${sha256}`;

function withDetail(run: UploadedRun, detail: RunDetail): UploadedRun {
  if (run.run_id !== detail.run_id) return run;
  const { disclosure, visibility, started_at, started_at_known } = detail;
  return { ...run, disclosure, visibility, started_at, started_at_known };
}

/** Updates all queries that show the changed run: its page, run lists, and its uploads. */
async function changed(
  queries: QueryClient,
  run_id: string,
  change: Parameters<typeof unwrap<RunDetail>>[0],
): Promise<RunDetail> {
  const detail = await storeAnswer(queries, runKeys.detail(run_id), change);
  // Immediate, so that a saved answer stays in its field until the upload is refetched.
  queries.setQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] }, (upload) =>
    upload === undefined ? undefined : { ...upload, runs: upload.runs.map((run) => withDetail(run, detail)) },
  );
  void queries.invalidateQueries({ queryKey: runKeys.lists() });
  void queries.invalidateQueries({ queryKey: [...uploadKeys.all, "one"] });
  return detail;
}

/** Adds facts that the file does not state. `null` removes an answer. */
export const answerDisclosure = (queries: QueryClient, run_id: string, answers: Answers): Promise<RunDetail> => {
  const options = { ...inPath({ run_id }), body: { answers } };
  return changed(queries, run_id, client.PATCH("/api/v1/runs/{run_id}/disclosure", options));
};

/** Adds facts to a run of an upload. A unit makes the server read its files again. */
export async function answerUpload(queries: QueryClient, upload_id: string, run_id: string, answers: Answers) {
  const options = { ...inPath({ upload_id }), body: { answers, run_id } };
  const change = client.PATCH("/api/v1/uploads/{upload_id}/answers", options);
  await storeAnswer(queries, uploadKeys.one(upload_id), change);
  void queries.invalidateQueries({ queryKey: runKeys.all });
}

export const runNamesQuery = (runId: string) =>
  getQuery([...runKeys.all, "names", runId], "/api/v1/runs/{run_id}/names", { path: { run_id: runId } });

/** Publishes a run. Others see neutral machine names, except for the kinds in `shown`. */
export const publishRun = (queries: QueryClient, run_id: string, shown: NameKind[]): Promise<RunDetail> => {
  const options = { ...inPath({ run_id }), body: { shown } };
  return changed(queries, run_id, client.POST("/api/v1/runs/{run_id}/publish", options));
};

/** Withdraws a published run. Visitors with the link see the reason, unless it is empty. */
export const retractRun = (queries: QueryClient, run_id: string, reason: string): Promise<RunDetail> => {
  const options = { ...inPath({ run_id }), body: { reason: reason.trim() || null } };
  return changed(queries, run_id, client.POST("/api/v1/runs/{run_id}/retract", options));
};
