// What the upload page asks of the API. What became of files and runs is polled only while something about it is still open.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";
import { runDetailQuery, runKeys } from "./queries";
import { replaceAnswer } from "./replaceAnswer";
import { serverNow } from "./serverClock";
import type { Answers, RunDetail, Upload, UploadedRun } from "./types";

/** Names of one's own machines in a run, by kind. */
export type RunNames = components["schemas"]["RunNamesOut"];
export type NameKind = keyof RunNames;

export const uploadKeys = {
  all: ["uploads"] as const,
  list: () => [...uploadKeys.all, "list"] as const,
  one: (uploadId: string) => [...uploadKeys.all, "one", uploadId] as const,
  lines: (file: FileOfLines, line: number) => [...uploadKeys.all, "lines", file.sha256, file.member, line] as const,
};

const UPLOADS_ON_A_PAGE = 10;
/** Files that wait to be read are looked after this often. */
const UNREAD_POLL_MS = 2_000;

/** A run that came or grew this lately may still be on its way to its verdicts. */
const JUDGED_WITHIN_MS = 120_000;
const QUICK_MS = 10_000;

/** Every verdict is about all that was read. One of an earlier, shorter reading is not. */
export const isJudged = (run: Pick<RunDetail, "verdicts" | "data_through_ns">): boolean =>
  run.verdicts.length > 0 && run.verdicts.every((verdict) => verdict.data_through_ns >= run.data_through_ns);

/** When to ask again for the verdicts of an uploaded run; false once they are there, or none will come. */
export function pollJudgedMs(run: RunDetail | undefined, nowMs: number): number | false {
  if (run === undefined || isJudged(run)) return false;
  const ageMs = nowMs - Date.parse(run.last_data_at ?? "");
  if (!(ageMs < JUDGED_WITHIN_MS)) return false;
  return ageMs < QUICK_MS ? 1_000 : 3_000;
}

/** A run with its verdicts as they come. */
export const judgedRunQuery = (runId: string) =>
  queryOptions({
    ...runDetailQuery(runId),
    refetchInterval: ({ state }) => pollJudgedMs(state.data, serverNow()),
  });

export const uploadQuery = (uploadId: string) =>
  queryOptions({
    queryKey: uploadKeys.one(uploadId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/uploads/{upload_id}", { params: { path: { upload_id: uploadId } }, signal })),
    staleTime: 2_000,
    refetchInterval: ({ state }) => (state.data?.state === "waiting" ? UNREAD_POLL_MS : false),
  });

export const uploadsQuery = () =>
  infiniteQueryOptions({
    queryKey: uploadKeys.list(),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/api/v1/uploads", {
          params: { query: { limit: UPLOADS_ON_A_PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    staleTime: 10_000,
  });

export type FileOfLines = { readonly sha256: string; readonly member: string | null };

const LINES_AROUND = 2;

export const linesQuery = (file: FileOfLines, line: number) =>
  queryOptions({
    queryKey: uploadKeys.lines(file, line),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/raw-files/{sha256}/lines", {
          params: {
            path: { sha256: file.sha256 },
            query: { line, context: LINES_AROUND, ...(file.member === null ? {} : { member: file.member }) },
          },
          signal,
        }),
      ),
    // A file that is kept never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Where a kept file can be had as it was sent. */
export const rawFileAddress = (sha256: string): string => `/api/v1/raw-files/${sha256}`;

function withDetail(run: UploadedRun, detail: RunDetail): UploadedRun {
  if (run.run_id !== detail.run_id) return run;
  const { disclosure, visibility, started_at, started_at_known } = detail;
  return { ...run, disclosure, visibility, started_at, started_at_known };
}

/** Whatever shows this run anew: its own page, lists, and the uploads it was read from. */
async function changed(queries: QueryClient, detail: RunDetail): Promise<void> {
  await replaceAnswer(queries, runKeys.detail(detail.run_id), detail);
  // At once, so that a saved answer does not vanish from its field until the upload is fetched again.
  queries.setQueriesData<Upload>({ queryKey: [...uploadKeys.all, "one"] }, (upload) =>
    upload === undefined ? undefined : { ...upload, runs: upload.runs.map((run) => withDetail(run, detail)) },
  );
  void queries.invalidateQueries({ queryKey: runKeys.lists() });
  void queries.invalidateQueries({ queryKey: [...uploadKeys.all, "one"] });
}

/** Adds facts that the file does not state; null takes one back. */
export async function answerDisclosure(queries: QueryClient, runId: string, answers: Answers): Promise<RunDetail> {
  const detail = await unwrap(
    client.PATCH("/api/v1/runs/{run_id}/disclosure", { params: { path: { run_id: runId } }, body: { answers } }),
  );
  await changed(queries, detail);
  return detail;
}

/** The same, of a run of an upload; a unit has its files read again. */
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
  queryOptions({
    queryKey: [...runKeys.all, "names", runId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/names", { params: { path: { run_id: runId } }, signal })),
  });

/** Others read neutral names but for the kinds that are shown. */
export async function publishRun(queries: QueryClient, runId: string, shown: NameKind[]): Promise<RunDetail> {
  const detail = await unwrap(
    client.POST("/api/v1/runs/{run_id}/publish", { params: { path: { run_id: runId } }, body: { shown } }),
  );
  await changed(queries, detail);
  return detail;
}

/** The reason is visible to all who have the link; empty is none. */
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
