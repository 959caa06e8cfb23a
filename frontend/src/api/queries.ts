// API queries of the pages, with their cache keys and freshness.
import { type InfiniteData, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, get, getQuery, inPath, pagesQuery, storeAnswer, unwrap } from "./client";
import type { Figures, RunDetail, RunPage, RunState, RunSummary, RunsQuery, TimelineSeries } from "./types";

export type RunSort = NonNullable<RunsQuery["sort"]>;

export type HeatmapRequest = Pick<TimelineSeries, "operation" | "clock"> & { from_ns?: number; to_ns?: number };

/** Filters and order of a run list; by default all runs, newest first. */
export type RunFilter = { state?: RunState; workload?: string; q?: string; sort?: RunSort };

const PAGE_SIZE = 50;
const TIMELINE_POINTS = 600;

export const runKeys = {
  all: ["runs"] as const,
  lists: () => [...runKeys.all, "list"] as const,
  one: (runId: string) => [...runKeys.all, "one", runId] as const,
  detail: (runId: string) => [...runKeys.one(runId), "detail"] as const,
  timeline: (runId: string) => [...runKeys.one(runId), "timeline"] as const,
  percentiles: (runId: string) => [...runKeys.one(runId), "percentiles"] as const,
  exceedance: (runId: string) => [...runKeys.one(runId), "exceedance"] as const,
  course: (runId: string) => [...runKeys.one(runId), "course"] as const,
  driveCounters: (runId: string) => [...runKeys.one(runId), "drive-counters"] as const,
  findings: (runId: string) => [...runKeys.one(runId), "findings"] as const,
  ladders: () => [...runKeys.all, "ladder"] as const,
};

const ofRun = (run_id: string) => ({ path: { run_id } });

export const sessionKey = ["session"] as const;

export const sessionQuery = () => getQuery(sessionKey, "/api/v1/session", {}, { staleTime: 60_000 });

export const runListQuery = (filter: RunFilter) => ({
  ...pagesQuery([...runKeys.lists(), filter], "/api/v1/runs", { limit: PAGE_SIZE, ...filter }),
  staleTime: 5_000,
});

const LIVE_MS = 3_000;
const QUIET_MS = 30_000;
const MOST_LIVE = 100;

type RunPages = InfiniteData<RunPage, unknown>;

const isLive = (run: RunSummary): boolean => run.state !== "finished";
const runsOf = (list: RunPages | undefined): RunSummary[] => list?.pages.flatMap((page) => page.runs) ?? [];

/** Returns the polling interval of a list in milliseconds: short while one of its runs is live. */
export const newsEveryMs = (list: RunPages | undefined): number => (runsOf(list).some(isLive) ? LIVE_MS : QUIET_MS);

/** Refreshes a list of any number of pages: refetches its first page, and the live runs on the others. */
export const runListNewsQuery = (queries: QueryClient, filter: RunFilter) => {
  const listKey = runListQuery(filter).queryKey;
  return queryOptions({
    queryKey: [...runKeys.all, "news", filter],
    queryFn: async ({ signal }) => {
      const getRuns = (query: RunsQuery) => get("/api/v1/runs", { query }, signal);
      const first = await getRuns({ limit: PAGE_SIZE, ...filter });
      const fresh = new Set(first.runs.map((run) => run.run_id));
      const below = runsOf(queries.getQueryData(listKey)).filter((run) => isLive(run) && !fresh.has(run.run_id));
      const moving =
        below.length === 0
          ? []
          : (await getRuns({ limit: MOST_LIVE, run: below.slice(0, MOST_LIVE).map((run) => run.run_id) })).runs;
      queries.setQueryData(listKey, (list) => (list === undefined ? list : withNews(list, first, moving)));
      return { total: first.total };
    },
    // The list itself was just fetched, so the first refresh can wait.
    initialData: { total: 0 },
    staleTime: LIVE_MS,
    refetchInterval: () => newsEveryMs(queries.getQueryData(listKey)),
  });
};

/** Returns the list with a new first page. Later pages lose runs that moved to it, and keep those it displaced. */
export function withNews(list: RunPages, first: RunPage, moving: readonly RunSummary[]): RunPages {
  const [before, ...further] = list.pages;
  if (before === undefined || further.length === 0) return { ...list, pages: [first] };
  const now = new Map([...moving, ...first.runs].map((run) => [run.run_id, run]));
  const front = new Set(first.runs.map((run) => run.run_id));
  const listedIds = new Set(runsOf(list).map((run) => run.run_id));
  const added = first.runs.filter((run) => !listedIds.has(run.run_id)).length;
  const lost = before.runs.filter((run) => !front.has(run.run_id));
  // Deleted runs left the first page too. The others were displaced, and the last of a page are displaced first.
  const deleted = Math.min(lost.length, Math.max(0, added - (first.total - before.total)));
  const pushed = lost.slice(deleted);
  const rest = further.map((page) => ({
    ...page,
    total: first.total,
    runs: page.runs.filter((run) => !front.has(run.run_id)).map((run) => now.get(run.run_id) ?? run),
  }));
  const [second, ...others] = rest;
  if (second === undefined) return { ...list, pages: [first] };
  return { ...list, pages: [first, { ...second, runs: [...pushed, ...second.runs] }, ...others] };
}

export const runDetailQuery = (runId: string) =>
  getQuery(runKeys.detail(runId), "/api/v1/runs/{run_id}", ofRun(runId), { staleTime: 5_000 });

export const timelineQuery = (runId: string) =>
  getQuery(
    runKeys.timeline(runId),
    "/api/v1/runs/{run_id}/timeline",
    { path: { run_id: runId }, query: { max_points: TIMELINE_POINTS } },
    { staleTime: 5_000 },
  );

export const percentilesQuery = (runId: string) =>
  getQuery(runKeys.percentiles(runId), "/api/v1/runs/{run_id}/percentiles", ofRun(runId), { staleTime: 5_000 });

export const exceedanceQuery = (runId: string) =>
  getQuery(runKeys.exceedance(runId), "/api/v1/runs/{run_id}/exceedance", ofRun(runId), { staleTime: 5_000 });

const MAX_REFETCHES = 40;

/** Returns whether the figures are computed. Right after a run's end they are still empty. */
export const isWorkedOut = (figures: Figures | undefined): boolean =>
  figures?.operations.some(({ measured_ns }) => measured_ns > 0) === true;

/** Returns rate, percentiles and shares of each operation with bounds. Fetched at least twice, since the figures of a
 * run that just ended are still being computed. */
export const figuresQuery = (runId: string) =>
  getQuery([...runKeys.one(runId), "figures"], "/api/v1/runs/{run_id}/figures", ofRun(runId), {
    staleTime: 60_000,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      (dataUpdateCount > 1 && isWorkedOut(data)) || dataUpdateCount > MAX_REFETCHES ? false : LIVE_MS,
  });

/** Returns runs by id; polled while `awaitsVerdict` is true for one of them. */
export const runsByIdQuery = (runIds: readonly string[], awaitsVerdict: (run: RunSummary) => boolean) =>
  queryOptions({
    queryKey: [...runKeys.all, "by-id", ...runIds],
    queryFn: async ({ signal }) => {
      const query = { limit: MOST_LIVE, run: runIds.slice(0, MOST_LIVE) };
      return (await get("/api/v1/runs", { query }, signal)).runs;
    },
    enabled: runIds.length > 0,
    refetchInterval: ({ state: { data } }) => (data?.some(awaitsVerdict) === true ? LIVE_MS : false),
  });

/** Returns logs of iostat, sar, mpstat and vmstat that overlap a run in time. */
export const concurrentLogsQuery = (runId: string) =>
  getQuery([...runKeys.one(runId), "beside"], "/api/v1/runs/{run_id}/beside", ofRun(runId), { staleTime: 60_000 });

/** Returns the run page's initial heatmap. It needs only the run's id, and the server stores it for finished runs. */
export const firstHeatmapQuery = (runId: string) =>
  getQuery([...runKeys.one(runId), "first-heatmap"], "/api/v1/runs/{run_id}/heatmap", ofRun(runId), {
    staleTime: 5_000,
  });

/** Returns latencies over time, in shorter slices for a part of the run. The previous heatmap is shown meanwhile. */
export const heatmapQuery = (runId: string, request: HeatmapRequest) =>
  queryOptions({
    queryKey: [...runKeys.one(runId), "heatmap", request],
    queryFn: async ({ client: queries, signal }) => {
      if (request.from_ns === undefined && request.to_ns === undefined) {
        const first = await queries.fetchQuery(firstHeatmapQuery(runId)).catch(() => null);
        if (first?.operation === request.operation && first.clock === request.clock) return first;
      }
      return get("/api/v1/runs/{run_id}/heatmap", { path: { run_id: runId }, query: request }, signal);
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

export const driveCountersQuery = (runId: string) =>
  getQuery(runKeys.driveCounters(runId), "/api/v1/runs/{run_id}/drive-counters", ofRun(runId));

/** Returns how the drive compares with others of its model. Other tests change rarely. */
export const driveVariantQuery = (runId: string) =>
  getQuery([...runKeys.driveCounters(runId), "variant"], "/api/v1/runs/{run_id}/drive-variant", ofRun(runId), {
    staleTime: 60_000,
  });

export const courseQuery = (runId: string) =>
  getQuery(runKeys.course(runId), "/api/v1/runs/{run_id}/course", ofRun(runId), {
    staleTime: 30_000,
    refetchInterval: ({ state }) => (state.data?.provisional === true ? 60_000 : false),
  });

/** Returns the findings of the plausibility checks; polled until the run is audited. */
export const findingsQuery = (runId: string) =>
  getQuery(runKeys.findings(runId), "/api/v1/runs/{run_id}/findings", ofRun(runId), {
    staleTime: 5_000,
    refetchInterval: ({ state }) => (state.data?.audit_version === null ? LIVE_MS : false),
  });

/** Returns the ladder that a run is a step of, cached by ladder for all its steps. Polled while it can change. */
export const ladderQuery = (runId: string, ladderId: string) =>
  getQuery([...runKeys.ladders(), ladderId], "/api/v1/runs/{run_id}/ladder", ofRun(runId), {
    staleTime: 2_000,
    refetchInterval: ({ state }) => (state.data?.may_change === true ? LIVE_MS : false),
  });

/** Returns the load search that a run is a probe of. Polled while it runs. */
export const loadSearchQuery = (runId: string) =>
  getQuery([...runKeys.ladders(), "search", runId], "/api/v1/sla/load-search/{run_id}", ofRun(runId), {
    staleTime: 2_000,
    refetchInterval: ({ state }) => (state.data?.may_change === true ? LIVE_MS : false),
  });

/** Requests that the agent end the run after its current operation. Returns the updated run. */
export const requestStop = (queries: QueryClient, run_id: string): Promise<RunDetail> =>
  storeAnswer(queries, runKeys.detail(run_id), client.POST("/api/v1/runs/{run_id}/stop", inPath({ run_id })));

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

/** Removes all cached data of an organisation. The session query stays, as the header uses it. */
export function forgetData(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}
