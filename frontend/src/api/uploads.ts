// What the upload page asks of the API. What became of an upload is polled only while something about it is still open.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import { runKeys } from "./queries";
import type { Answers, RunDetail, Upload } from "./types";

export const uploadKeys = {
  all: ["uploads"] as const,
  list: () => [...uploadKeys.all, "list"] as const,
  one: (uploadId: string) => [...uploadKeys.all, "one", uploadId] as const,
  lines: (file: FileOfLines, line: number) => [...uploadKeys.all, "lines", file.sha256, file.member, line] as const,
};

const UPLOADS_ON_A_PAGE = 10;
const FIRST_POLL_MS = 700;
const LONGEST_POLL_MS = 5_000;
/** Two minutes of polling: by then a verdict is there, or none will come. */
const MOST_POLLS = 30;

const isOpen = (upload: Upload): boolean =>
  upload.read_at === null || upload.runs.some((run) => run.verdicts.length === 0);

/** When to ask again, after so many answers; false once everything is read and judged, or nothing more will come. */
export function pollAfterMs(upload: Upload | undefined, answers: number): number | false {
  if (upload === undefined || !isOpen(upload) || answers > MOST_POLLS) return false;
  return Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * 1.3 ** Math.max(0, answers - 1));
}

export const uploadQuery = (uploadId: string) =>
  queryOptions({
    queryKey: uploadKeys.one(uploadId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/uploads/{upload_id}", { params: { path: { upload_id: uploadId } }, signal })),
    staleTime: 2_000,
    refetchInterval: ({ state }) => pollAfterMs(state.data, state.dataUpdateCount),
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

/** Whatever shows this run anew: its own page, lists, and the uploads it was read from. */
function changed(queries: QueryClient, detail: RunDetail): void {
  queries.setQueryData(runKeys.detail(detail.run_id), detail);
  void queries.invalidateQueries({ queryKey: runKeys.lists() });
  void queries.invalidateQueries({ queryKey: [...uploadKeys.all, "one"] });
}

/** Adds facts that the file does not state; null takes one back. */
export async function answerDisclosure(queries: QueryClient, runId: string, answers: Answers): Promise<RunDetail> {
  const detail = await unwrap(
    client.PATCH("/api/v1/runs/{run_id}/disclosure", { params: { path: { run_id: runId } }, body: { answers } }),
  );
  changed(queries, detail);
  return detail;
}

export async function publishRun(queries: QueryClient, runId: string): Promise<RunDetail> {
  const detail = await unwrap(client.POST("/api/v1/runs/{run_id}/publish", { params: { path: { run_id: runId } } }));
  changed(queries, detail);
  return detail;
}

/** The reason is shown to everybody who has the link; empty is none. */
export async function retractRun(queries: QueryClient, runId: string, reason: string): Promise<RunDetail> {
  const given = reason.trim();
  const detail = await unwrap(
    client.POST("/api/v1/runs/{run_id}/retract", {
      params: { path: { run_id: runId } },
      body: { reason: given === "" ? null : given },
    }),
  );
  changed(queries, detail);
  return detail;
}

