// What the page asks of the API, under which key it is kept, and how long it counts as fresh.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { RunDetail, RunState } from "./types";

export type RunFilters = { state?: RunState; workload?: string; q?: string };

const PAGE_SIZE = 50;
const TIMELINE_POINTS = 600;

export const runKeys = {
  all: ["runs"] as const,
  lists: () => [...runKeys.all, "list"] as const,
  list: (filters: RunFilters) => [...runKeys.lists(), filters] as const,
  one: (runId: string) => [...runKeys.all, "one", runId] as const,
  detail: (runId: string) => [...runKeys.one(runId), "detail"] as const,
  timeline: (runId: string) => [...runKeys.one(runId), "timeline"] as const,
  percentiles: (runId: string) => [...runKeys.one(runId), "percentiles"] as const,
  exceedance: (runId: string) => [...runKeys.one(runId), "exceedance"] as const,
  course: (runId: string) => [...runKeys.one(runId), "course"] as const,
  findings: (runId: string) => [...runKeys.one(runId), "findings"] as const,
  ladders: () => [...runKeys.all, "ladder"] as const,
  ladder: (ladderId: string) => [...runKeys.ladders(), ladderId] as const,
};

export const sessionKey = ["session"] as const;

export const sessionQuery = () =>
  queryOptions({
    queryKey: sessionKey,
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/session", { signal })),
    staleTime: 60_000,
  });

export const runListQuery = (filters: RunFilters) =>
  infiniteQueryOptions({
    queryKey: runKeys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/api/v1/runs", {
          params: { query: { limit: PAGE_SIZE, ...filters, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    // Live runs move: the list is asked again every few seconds while one is on it, else twice a minute.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.runs.some((run) => run.state !== "finished")) ? 3_000 : 30_000,
  });

export const runDetailQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.detail(runId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
    staleTime: 5_000,
  });

export const timelineQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.timeline(runId),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/runs/{run_id}/timeline", {
          params: { path: { run_id: runId }, query: { max_points: TIMELINE_POINTS } },
          signal,
        }),
      ),
    staleTime: 5_000,
  });

export const percentilesQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.percentiles(runId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/percentiles", { params: { path: { run_id: runId } }, signal })),
    staleTime: 5_000,
  });

export const exceedanceQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.exceedance(runId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/exceedance", { params: { path: { run_id: runId } }, signal })),
    staleTime: 5_000,
  });

/** Hours, change points and budgets move slowly: asked for once a minute while the run goes on. */
export const courseQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.course(runId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/course", { params: { path: { run_id: runId } }, signal })),
    staleTime: 30_000,
    refetchInterval: ({ state }) => (state.data?.provisional === true ? 60_000 : false),
  });

/** What the plausibility checks found; asked again until the run has been audited. */
export const findingsQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.findings(runId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/findings", { params: { path: { run_id: runId } }, signal })),
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.audit_version === null ? 3_000 : false),
  });

const LADDER_POLL_MS = 3_000;

/** The ladder that a run is a step of, under the ladder's own key: its steps share it. Asked for again while it climbs. */
export const ladderQuery = (runId: string, ladderId: string) =>
  queryOptions({
    queryKey: runKeys.ladder(ladderId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/ladder", { params: { path: { run_id: runId } }, signal })),
    staleTime: 2_000,
    refetchInterval: ({ state }) => (state.data?.may_change === true ? LADDER_POLL_MS : false),
  });

/** Asks the agent, through the API, to end the run after what it is doing. */
export async function requestStop(queries: QueryClient, runId: string): Promise<RunDetail> {
  const detail = await unwrap(client.POST("/api/v1/runs/{run_id}/stop", { params: { path: { run_id: runId } } }));
  queries.setQueryData(runKeys.detail(runId), detail);
  return detail;
}

export async function openSession(queries: QueryClient, token: string): Promise<void> {
  const session = await unwrap(client.POST("/api/v1/session", { body: { token } }));
  forgetData(queries);
  queries.setQueryData(sessionKey, session);
}

export async function closeSession(queries: QueryClient): Promise<void> {
  await unwrap(client.DELETE("/api/v1/session"));
  forgetData(queries);
  await queries.resetQueries({ queryKey: sessionKey });
}

/** Nothing of one organisation may be seen by the next. The session's own query stays: the header watches it. */
function forgetData(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}
