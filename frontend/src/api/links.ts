// Links that share the report of a private run. Only the response that creates a link contains its URL.

import type { components } from "@generated/api";
import { queryOptions } from "@tanstack/react-query";
import { client, get, unwrap } from "./client";

export type RunLink = components["schemas"]["LinkOut"];
export type RunLinks = components["schemas"]["LinksOut"];
export type MadeLink = components["schemas"]["LinkMadeOut"];

export const linksQuery = (runId: string) =>
  queryOptions({
    queryKey: ["run-links", runId] as const,
    queryFn: ({ signal }) => get("/api/v1/runs/{run_id}/links", { path: { run_id: runId } }, signal),
    staleTime: 0,
  });

export const makeLink = (runId: string, label: string, days: number): Promise<MadeLink> =>
  unwrap(
    client.POST("/api/v1/runs/{run_id}/links", {
      params: { path: { run_id: runId } },
      body: { label: label.trim(), days },
    }),
  );

export const revokeLink = (runId: string, linkId: string): Promise<RunLinks> =>
  unwrap(
    client.DELETE("/api/v1/runs/{run_id}/links/{link_id}", {
      params: { path: { run_id: runId, link_id: linkId } },
    }),
  );
