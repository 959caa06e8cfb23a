// Requests of the leaderboard. They store nothing on the server, so each question is a query; the previous answer is
// shown until the next arrives.
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { addressOf, client, get, getQuery, pagesQuery, unwrap } from "./client";
import type { Leaderboard, LeaderboardQuery } from "./types";

/** Rows per page: more than a screen shows, and few enough for a fast response. */
const PAGE_ROWS = 100;
/** Most rows that the API returns at once. */
const MOST_ROWS = 2_000;
/** Age in milliseconds at which rows are refetched. Published results change with releases. */
const FRESH_MS = 30_000;
const CONTINUE_MS = 200;
/** Interval between requests for a newly published run, in milliseconds. */
const REFETCH_MS = 2_000;
const MAX_REFETCHES = 8;
/** Most requests while tests await judging. Beyond it, the table includes rows without verdicts. */
const MOST_ASKED = 200;

export const leaderboardKeys = { all: ["leaderboard"] as const };

/** Filters of a leaderboard request, without paging. */
export type LeaderboardFilter = Omit<LeaderboardQuery, "limit" | "cursor">;

export const leaderboardQuery = (query: LeaderboardFilter) =>
  infiniteQueryOptions({
    ...pagesQuery([...leaderboardKeys.all, "list", query], "/api/v1/leaderboard", { ...query, limit: PAGE_ROWS }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    // A response contains the verdicts computed within its time limit and the number of tests left; the next continues.
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.tests_waiting ?? 0) > 0 ? CONTINUE_MS : false),
  });

/** Filters for tests by current tools at their most common conditions, which excludes drives of ten years ago. */
const CURRENT_TESTS = { generation: ["2-5", "6+"], op: ["unstated"] } as const;

/** Returns the first rows among current tests, for a summary. */
export const leaderboardTopQuery = (rows: number, query: LeaderboardFilter = {}) =>
  getQuery(
    [...leaderboardKeys.all, "top", rows, query],
    "/api/v1/leaderboard",
    { query: { ...query, generation: [...CURRENT_TESTS.generation], op: [...CURRENT_TESTS.op], limit: rows } },
    {
      staleTime: FRESH_MS,
      refetchInterval: ({ state }) => ((state.data?.tests_waiting ?? 0) > 0 ? CONTINUE_MS : false),
    },
  );

/** Returns the rows of certain drives under all conditions. */
export const rowsOfDrivesQuery = (query: LeaderboardFilter, slugs: readonly string[]) =>
  getQuery(
    [...leaderboardKeys.all, "of-drives", query, slugs],
    "/api/v1/leaderboard",
    { query: { ...query, drive: [...slugs], equal: false, limit: MOST_ROWS } },
    { placeholderData: keepPreviousData, staleTime: FRESH_MS },
  );

/** Returns the row that includes a run as a test. Polled, as rows are computed shortly after publication. */
export const placeOfRunQuery = (runId: string) =>
  getQuery(
    [...leaderboardKeys.all, "of-run", runId],
    "/api/v1/leaderboard",
    { query: { run: runId, equal: false, limit: 1 } },
    {
      staleTime: 2_000,
      refetchInterval: ({ state }) =>
        state.data?.rows.length === 0 && state.data.run_not_rated === null && state.dataUpdateCount < MAX_REFETCHES
          ? REFETCH_MS
          : false,
    },
  );

export const comparabilityQuery = (tests: readonly string[]) =>
  getQuery(
    [...leaderboardKeys.all, "comparability", tests],
    "/api/v1/comparability",
    { query: { test: [...tests] } },
    { enabled: tests.length > 1, staleTime: FRESH_MS },
  );

/** Returns all rows of a question, from as many pages as needed. */
export async function everyRow(filter: LeaderboardFilter): Promise<Leaderboard> {
  const first = () => get("/api/v1/leaderboard", { query: { ...filter, limit: MOST_ROWS } });
  let page = await first();
  for (let times = 1; page.tests_waiting > 0 && times < MOST_ASKED; times += 1) page = await first();
  const rows = [...page.rows];
  while (page.next_cursor !== null) {
    const query = { ...filter, limit: MOST_ROWS, cursor: page.next_cursor };
    page = await get("/api/v1/leaderboard", { query });
    rows.push(...page.rows);
  }
  return { ...page, rows, next_cursor: null };
}

/** Returns all rows of a question as CSV, with the API's columns. */
export const everyRowAsCsv = (query: LeaderboardFilter): Promise<string> =>
  unwrap(client.GET("/api/v1/leaderboard.csv", { params: { query }, parseAs: "text" }));

/** Returns the URL of the same question as CSV, for scripts. */
export const leaderboardCsvAddress = (filter: LeaderboardFilter): string =>
  addressOf("/api/v1/leaderboard.csv", filter);
