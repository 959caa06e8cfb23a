// URLs and downloads of a run's report, and embeds of a published run.
import { client, getQuery, inPath, unwrap } from "./client";
import type { Schemas } from "./types";

export const reportAddress = (runId: string, form: "html" | "csv" | "jsonld"): string =>
  `/api/v1/runs/${runId}/report.${form}`;

const fileOfRun = (run_id: string) => ({ ...inPath({ run_id }), parseAs: "blob" as const });

/** Returns the report as PDF. Takes seconds; fails if the server cannot print. */
export const reportPdf = (run_id: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/report.{form}", { ...inPath({ run_id, form: "pdf" as const }), parseAs: "blob" }),
  ) as Promise<Blob>;

/** Returns the evidence pack as a ZIP. Takes seconds: the server computes every verdict again. */
export const evidencePack = (runId: string): Promise<Blob> =>
  unwrap(client.GET("/api/v1/runs/{run_id}/pack.zip", fileOfRun(runId))) as Promise<Blob>;

/** Returns an HTML page that computes its verdicts without a server. Takes seconds. */
export const offlinePage = (runId: string): Promise<Blob> =>
  unwrap(client.GET("/api/v1/runs/{run_id}/page.html", fileOfRun(runId))) as Promise<Blob>;

export const embedAddress = (runId: string, picture: "badge.svg" | "chart.svg" | "chart"): string =>
  `/api/v1/runs/${runId}/embed/${picture}`;

export type RunLink = Schemas["LinkOut"];

export const linksQuery = (runId: string) =>
  getQuery(["run-links", runId], "/api/v1/runs/{run_id}/links", { path: { run_id: runId } }, { staleTime: 0 });

export const makeLink = (run_id: string, label: string, days: number) =>
  unwrap(client.POST("/api/v1/runs/{run_id}/links", { ...inPath({ run_id }), body: { label: label.trim(), days } }));

export const revokeLink = (run_id: string, link_id: string) =>
  unwrap(client.DELETE("/api/v1/runs/{run_id}/links/{link_id}", inPath({ run_id, link_id })));
