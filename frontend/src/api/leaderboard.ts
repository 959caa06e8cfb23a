// What the leaderboard asks of the API. Asking stores nothing, so every question is a query of its own, and the answer before
// stays on screen until the next has come.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { Leaderboard, LeaderboardQuery } from "./types";

/** Fewer than a screen never shows, and few enough to be answered at once. */
const PAGE_ROWS = 100;
/** As many as the API gives at once. */
const MOST_ROWS = 2_000;
/** Published results change with releases, own runs when one finishes. */
const FRESH_MS = 30_000;
const GO_ON_MS = 200;
/** How often a run that was published just now is looked for. */
const LOOK_MS = 2_000;
const MOST_LOOKS = 8;
/** More requests than this are not sent: the table then shows rows that are not judged yet. */
const MOST_ASKED = 200;

export const leaderboardKeys = {
  all: ["leaderboard"] as const,
  list: (query: LeaderboardQuery) => [...leaderboardKeys.all, "list", query] as const,
  comparability: (tests: readonly string[]) => [...leaderboardKeys.all, "comparability", tests] as const,
};

/** Everything that makes up the question; paging is added here. */
export type LeaderboardAsked = Omit<LeaderboardQuery, "limit" | "cursor">;

export const leaderboardQuery = (query: LeaderboardAsked) =>
  infiniteQueryOptions({
    queryKey: leaderboardKeys.list(query),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/api/v1/leaderboard", {
          params: { query: { ...query, limit: PAGE_ROWS, ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    // A response judges for a moment and reports how many rows remain; the next request continues.
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.tests_waiting ?? 0) > 0 ? GO_ON_MS : false),
  });

/** Tests of today's tools, at the conditions that most of them share: drives on sale now, not those of ten years ago. */
const CURRENT_TESTS = { generation: ["2-5", "6+"], op: ["unstated"] } as const;

/** The first rows of the current tests alone, for a glance. */
export const leaderboardTopQuery = (rows: number, query: LeaderboardAsked = {}) =>
  queryOptions({
    queryKey: [...leaderboardKeys.all, "top", rows, query],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/leaderboard", {
          params: {
            query: { ...query, generation: [...CURRENT_TESTS.generation], op: [...CURRENT_TESTS.op], limit: rows },
          },
          signal,
        }),
      ),
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => ((state.data?.tests_waiting ?? 0) > 0 ? GO_ON_MS : false),
  });

/** The rows of certain drives, whatever their conditions. */
export const rowsOfDrivesQuery = (query: LeaderboardAsked, slugs: readonly string[]) =>
  queryOptions({
    queryKey: [...leaderboardKeys.all, "of-drives", query, slugs],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/leaderboard", {
          params: { query: { ...query, drive: [...slugs], equal: false, limit: MOST_ROWS } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** The row that a run is a test of; drives are rated soon after a run was judged or published. */
export const placeOfRunQuery = (runId: string) =>
  queryOptions({
    queryKey: [...leaderboardKeys.all, "of-run", runId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/leaderboard", { params: { query: { run: runId, equal: false, limit: 1 } }, signal })),
    staleTime: 2_000,
    refetchInterval: ({ state }) =>
      state.data?.rows.length === 0 && state.data.run_not_rated === null && state.dataUpdateCount < MOST_LOOKS
        ? LOOK_MS
        : false,
  });

export const comparabilityQuery = (tests: readonly string[]) =>
  queryOptions({
    queryKey: leaderboardKeys.comparability(tests),
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/comparability", { params: { query: { test: [...tests] } }, signal })),
    enabled: tests.length > 1,
    staleTime: FRESH_MS,
  });

/** Every row of the question, on as many pages as it takes. */
export async function everyRow(filter: LeaderboardAsked): Promise<Leaderboard> {
  const first = () => unwrap(client.GET("/api/v1/leaderboard", { params: { query: { ...filter, limit: MOST_ROWS } } }));
  let page = await first();
  for (let times = 1; page.tests_waiting > 0 && times < MOST_ASKED; times += 1) page = await first();
  const rows = [...page.rows];
  while (page.next_cursor !== null) {
    const query = { ...filter, limit: MOST_ROWS, cursor: page.next_cursor };
    page = await unwrap(client.GET("/api/v1/leaderboard", { params: { query } }));
    rows.push(...page.rows);
  }
  return { ...page, rows, next_cursor: null };
}

/** Every row of the question as a table, with the columns that the API defines. */
export const everyRowAsCsv = (query: LeaderboardAsked): Promise<string> =>
  unwrap(client.GET("/api/v1/leaderboard.csv", { params: { query: query }, parseAs: "text" }));

/** Where the same question is answered as a table, for scripts. */
export function leaderboardCsvAddress(filter: LeaderboardAsked): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) {
    if (Array.isArray(value)) for (const item of value) query.append(key, String(item));
    else if (value !== undefined && value !== null) query.append(key, String(value));
  }
  const text = query.toString();
  return `/api/v1/leaderboard.csv${text === "" ? "" : `?${text}`}`;
}
