// Links that share the report of a private run. Only the response that creates a link contains its URL.
import { client, getQuery, unwrap } from "./client";
import type { Schemas } from "./types";

export type RunLink = Schemas["LinkOut"];
export type RunLinks = Schemas["LinksOut"];
export type MadeLink = Schemas["LinkMadeOut"];

export const linksQuery = (runId: string) =>
  getQuery(["run-links", runId], "/api/v1/runs/{run_id}/links", { path: { run_id: runId } }, { staleTime: 0 });

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
