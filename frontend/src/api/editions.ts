// Editions of the leaderboard: immutable rankings of past quarters, and the changes since.
import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";

const FRESH_MS = 300_000;

export const editionsQuery = () =>
  queryOptions({
    queryKey: ["editions"],
    queryFn: ({ signal }) => get("/api/v1/editions", {}, signal),
    staleTime: FRESH_MS,
  });

export const editionQuery = (name: string) =>
  queryOptions({
    queryKey: ["editions", name],
    queryFn: ({ signal }) => get("/api/v1/editions/{name}", { path: { name } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Returns the changes between two editions. `until` is a later edition or `living`, the current leaderboard. */
export const editionChangesQuery = (since: string, until: string) =>
  queryOptions({
    queryKey: ["editions", since, "changes", until],
    queryFn: ({ signal }) => get("/api/v1/edition-changes", { query: { since, until } }, signal),
    staleTime: FRESH_MS,
  });
