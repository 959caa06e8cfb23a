// Watched configurations, their alerts, and their trends over runs.
import type { QueryClient } from "@tanstack/react-query";
import { client, getQuery, inPath, refetchAfter, unwrap } from "./client";
import type { Schemas } from "./types";

export type Watch = Schemas["WatchOut"];
export type WatchRequest = Schemas["WatchIn"];
export type Trend = Schemas["TrendOut"];

const key = ["watches"] as const;

export const watchesQuery = () => getQuery(key, "/api/v1/watches", {}, { refetchInterval: 30_000 });

export const trendQuery = (watch: Watch) =>
  getQuery(
    [...key, watch.watch_id, "trend", watch.results.at(-1)?.run_id ?? null],
    "/api/v1/watches/{watch_id}/trend",
    { path: { watch_id: watch.watch_id } },
  );

/** Creates a watch. Returns the secret that signs its webhooks; `null` without webhooks. */
export async function makeWatch(queries: QueryClient, body: WatchRequest): Promise<string | null> {
  return (await refetchAfter(queries, key, client.POST("/api/v1/watches", { body }))).webhook_secret;
}

export const tryWatch = (queries: QueryClient, watch_id: string) =>
  refetchAfter(queries, key, client.POST("/api/v1/watches/{watch_id}/trial", inPath({ watch_id })));

export async function endWatch(queries: QueryClient, watch_id: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/watches/{watch_id}", inPath({ watch_id })));
  // The deleted watch's trend is still mounted: only the list is refetched.
  await queries.invalidateQueries({ queryKey: key, exact: true });
}
