// What the page asks of the API, under which key it is kept, and how long it counts as fresh.
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { client, unwrap } from "./client";
import { replaceAnswer } from "./replaceAnswer";
import type { Figures, RunDetail, RunPage, RunState, RunSummary, RunsQuery, TimelineSeries } from "./types";

export type RunSort = NonNullable<RunsQuery["sort"]>;

export type HeatmapAsked = Pick<TimelineSeries, "operation" | "clock"> & { from_ns?: number; to_ns?: number };

/** Which runs are listed, in which order; by default all, the newest first. */
export type RunsAsked = { state?: RunState; workload?: string; q?: string; sort?: RunSort };

const PAGE_SIZE = 50;
const TIMELINE_POINTS = 600;

export const runKeys = {
  all: ["runs"] as const,
  lists: () => [...runKeys.all, "list"] as const,
  list: (filter: RunsAsked) => [...runKeys.lists(), filter] as const,
  listNews: (filter: RunsAsked) => [...runKeys.all, "news", filter] as const,
  one: (runId: string) => [...runKeys.all, "one", runId] as const,
  detail: (runId: string) => [...runKeys.one(runId), "detail"] as const,
  timeline: (runId: string) => [...runKeys.one(runId), "timeline"] as const,
  percentiles: (runId: string) => [...runKeys.one(runId), "percentiles"] as const,
  exceedance: (runId: string) => [...runKeys.one(runId), "exceedance"] as const,
  course: (runId: string) => [...runKeys.one(runId), "course"] as const,
  driveCounters: (runId: string) => [...runKeys.one(runId), "drive-counters"] as const,
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

export const runListQuery = (filter: RunsAsked) =>
  infiniteQueryOptions({
    queryKey: runKeys.list(filter),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/api/v1/runs", {
          params: { query: { limit: PAGE_SIZE, ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
    staleTime: 5_000,
  });

const LIVE_MS = 3_000;
const QUIET_MS = 30_000;
const MOST_LIVE = 100;

type RunPages = InfiniteData<RunPage, unknown>;

const isLive = (run: RunSummary): boolean => run.state !== "finished";
const runsOf = (list: RunPages | undefined): RunSummary[] => list?.pages.flatMap((page) => page.runs) ?? [];

/** How often a list is polled: often while a run on it is live. */
export const newsEveryMs = (list: RunPages | undefined): number => (runsOf(list).some(isLive) ? LIVE_MS : QUIET_MS);

/** What is new on a list, however many pages of it are loaded: its first page, and the live runs of the others. */
export const runListNewsQuery = (queries: QueryClient, filter: RunsAsked) => {
  const listKey = runListQuery(filter).queryKey;
  return queryOptions({
    queryKey: runKeys.listNews(filter),
    queryFn: async ({ signal }) => {
      const get = (query: RunsQuery) => unwrap(client.GET("/api/v1/runs", { params: { query }, signal }));
      const first = await get({ limit: PAGE_SIZE, ...filter });
      const fresh = new Set(first.runs.map((run) => run.run_id));
      const below = runsOf(queries.getQueryData(listKey)).filter((run) => isLive(run) && !fresh.has(run.run_id));
      const moving =
        below.length === 0
          ? []
          : (await get({ limit: MOST_LIVE, run: below.slice(0, MOST_LIVE).map((run) => run.run_id) })).runs;
      queries.setQueryData(listKey, (list) => (list === undefined ? list : withNews(list, first, moving)));
      return { total: first.total };
    },
    // The first fetch follows right after the list itself was read.
    initialData: { total: 0 },
    staleTime: LIVE_MS,
    refetchInterval: () => newsEveryMs(queries.getQueryData(listKey)),
  });
};

/** The list with its first page as it is now. A run that came to the front leaves its former place, one that the new front
 * pushed down stays beneath it. */
export function withNews(list: RunPages, first: RunPage, moving: readonly RunSummary[]): RunPages {
  const [before, ...further] = list.pages;
  if (before === undefined || further.length === 0) return { ...list, pages: [first] };
  const now = new Map([...moving, ...first.runs].map((run) => [run.run_id, run]));
  const front = new Set(first.runs.map((run) => run.run_id));
  const listedIds = new Set(runsOf(list).map((run) => run.run_id));
  const added = first.runs.filter((run) => !listedIds.has(run.run_id)).length;
  const lost = before.runs.filter((run) => !front.has(run.run_id));
  // Runs that were deleted left the front too; the others were pushed down, and the last of the front go first.
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

const MOST_LOOKS = 40;

/** Right after its end a run has its series, and its figures are not calculated yet. */
export const isWorkedOut = (figures: Figures | undefined): boolean =>
  figures?.operations.some(({ measured_ns }) => measured_ns > 0) === true;

/** Rate, percentiles and shares of each operation with bounds; fetched twice at least, because a run that has just ended is still being calculated. */
export const figuresQuery = (runId: string) =>
  queryOptions({
    queryKey: [...runKeys.one(runId), "figures"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/figures", { params: { path: { run_id: runId } }, signal })),
    staleTime: 60_000,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      (dataUpdateCount > 1 && isWorkedOut(data)) || dataUpdateCount > MOST_LOOKS ? false : LIVE_MS,
  });

/** Runs by their ids, asked again while one awaits its verdict. */
export const runsByIdQuery = (runIds: readonly string[], awaitsVerdict: (run: RunSummary) => boolean) =>
  queryOptions({
    queryKey: [...runKeys.all, "by-id", ...runIds],
    queryFn: async ({ signal }) => {
      const query = { limit: MOST_LIVE, run: runIds.slice(0, MOST_LIVE) };
      return (await unwrap(client.GET("/api/v1/runs", { params: { query }, signal }))).runs;
    },
    enabled: runIds.length > 0,
    refetchInterval: ({ state: { data } }) => (data?.some(awaitsVerdict) === true ? LIVE_MS : false),
  });

/** Logs of iostat, sar, mpstat and vmstat of the time of a run. */
export const logsBesideQuery = (runId: string) =>
  queryOptions({
    queryKey: [...runKeys.one(runId), "beside"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/beside", { params: { path: { run_id: runId } }, signal })),
    staleTime: 60_000,
  });

/** The heatmap that a run's page begins with: it needs only the id of the run, and is stored for finished runs. */
export const firstHeatmapQuery = (runId: string) =>
  queryOptions({
    queryKey: [...runKeys.one(runId), "first-heatmap"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/heatmap", { params: { path: { run_id: runId } }, signal })),
    staleTime: 5_000,
  });

/** Latencies over time; of a part of the run in shorter stretches. The part before stays until the next is here. */
export const heatmapQuery = (runId: string, request: HeatmapAsked) =>
  queryOptions({
    queryKey: [...runKeys.one(runId), "heatmap", request],
    queryFn: async ({ client: queries, signal }) => {
      if (request.from_ns === undefined && request.to_ns === undefined) {
        const first = await queries.fetchQuery(firstHeatmapQuery(runId)).catch(() => null);
        if (first?.operation === request.operation && first.clock === request.clock) return first;
      }
      return unwrap(
        client.GET("/api/v1/runs/{run_id}/heatmap", { params: { path: { run_id: runId }, query: request }, signal }),
      );
    },
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** Hours, change points and budgets change slowly: fetched once a minute while the run is live. */
export const driveCountersQuery = (runId: string) =>
  queryOptions({
    queryKey: runKeys.driveCounters(runId),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/drive-counters", { params: { path: { run_id: runId } }, signal })),
  });

/** Other tests of the model come and go slowly. */
export const driveVariantQuery = (runId: string) =>
  queryOptions({
    queryKey: [...runKeys.driveCounters(runId), "variant"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/runs/{run_id}/drive-variant", { params: { path: { run_id: runId } }, signal })),
    staleTime: 60_000,
  });

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

/** The search for the highest load that a run is a probe of. Polled while it is running, and with the verdicts of ladders. */
export const loadSearchQuery = (runId: string) =>
  queryOptions({
    queryKey: [...runKeys.ladders(), "search", runId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/sla/load-search/{run_id}", { params: { path: { run_id: runId } }, signal })),
    staleTime: 2_000,
    refetchInterval: ({ state }) => (state.data?.may_change === true ? LADDER_POLL_MS : false),
  });

/** Asks the agent, through the API, to end the run after what it is doing. */
export async function requestStop(queries: QueryClient, runId: string): Promise<RunDetail> {
  const detail = await unwrap(client.POST("/api/v1/runs/{run_id}/stop", { params: { path: { run_id: runId } } }));
  await replaceAnswer(queries, runKeys.detail(runId), detail);
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
export function forgetData(queries: QueryClient): void {
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
}
