// Editions of the leaderboard: immutable rankings of past quarters, and the changes since.
import { getQuery } from "./client";

const FRESH_MS = 300_000;

export const editionsQuery = () => getQuery(["editions"], "/api/v1/editions", {}, { staleTime: FRESH_MS });

export const editionQuery = (name: string) =>
  getQuery(["editions", name], "/api/v1/editions/{name}", { path: { name } }, { staleTime: Number.POSITIVE_INFINITY });

/** Returns the changes between two editions. `until` is a later edition or `living`, the current leaderboard. */
export const editionChangesQuery = (since: string, until: string) =>
  getQuery(
    ["editions", since, "changes", until],
    "/api/v1/edition-changes",
    { query: { since, until } },
    { staleTime: FRESH_MS },
  );
