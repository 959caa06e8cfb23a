// URLs and downloads of a run's report, and embeds of a published run.
import { client, getQuery, unwrap } from "./client";
import type { Schemas } from "./types";

export const reportAddress = (runId: string, form: "html" | "csv" | "jsonld"): string =>
  `/api/v1/runs/${runId}/report.${form}`;

/** Returns the report as PDF. Takes seconds; fails if the server cannot print. */
export const reportPdf = (runId: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/report.{form}", {
      params: { path: { run_id: runId, form: "pdf" } },
      parseAs: "blob",
    }),
  ) as Promise<Blob>;

/** Returns the evidence pack as a ZIP. Takes seconds: the server computes every verdict again. */
export const evidencePack = (runId: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/pack.zip", { params: { path: { run_id: runId } }, parseAs: "blob" }),
  ) as Promise<Blob>;

/** Returns an HTML page that computes its verdicts without a server. Takes seconds. */
export const offlinePage = (runId: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/page.html", { params: { path: { run_id: runId } }, parseAs: "blob" }),
  ) as Promise<Blob>;

export const embedAddress = (runId: string, picture: "badge.svg" | "chart.svg" | "chart"): string =>
  `/api/v1/runs/${runId}/embed/${picture}`;

export type RunLink = Schemas["LinkOut"];
type RunLinks = Schemas["LinksOut"];
type MadeLink = Schemas["LinkMadeOut"];

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
