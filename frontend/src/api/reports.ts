// The report of a run, and what pages elsewhere show of a published one.
import { client, unwrap } from "./client";

export const reportAddress = (runId: string, form: "html" | "csv" | "jsonld"): string =>
  `/api/v1/runs/${runId}/report.${form}`;

/** The report as PDF. Takes seconds, and is refused where the server cannot print. */
export const reportPdf = (runId: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/report.{form}", {
      params: { path: { run_id: runId, form: "pdf" } },
      parseAs: "blob",
    }),
  ) as Promise<Blob>;

/** The evidence pack. Takes seconds: every verdict is calculated again. */
export const evidencePack = (runId: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/pack.zip", { params: { path: { run_id: runId } }, parseAs: "blob" }),
  ) as Promise<Blob>;

/** A page that opens without this server and works its verdicts out. Takes seconds. */
export const offlinePage = (runId: string): Promise<Blob> =>
  unwrap(
    client.GET("/api/v1/runs/{run_id}/page.html", { params: { path: { run_id: runId } }, parseAs: "blob" }),
  ) as Promise<Blob>;

export const embedAddress = (runId: string, picture: "badge.svg" | "chart.svg" | "chart"): string =>
  `/api/v1/runs/${runId}/embed/${picture}`;
