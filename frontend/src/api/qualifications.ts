// Requests for qualification suites of drives and their reports.

import { getQuery, pagesQuery } from "./client";
import type { Schemas } from "./types";

export type Suite = Schemas["SuiteOut"];
export type SuiteStep = Suite["steps"][number];
export type SuiteLoad = SuiteStep["loads"][number];
export type SuitePlot = SuiteStep["plots"][number];

export type SuiteSummary = Schemas["SuiteSummaryOut"];

export const suitesQuery = () => pagesQuery(["qualifications", "list"], "/api/v1/qualifications", {});

export const suiteQuery = (suiteId: string) =>
  getQuery(["qualifications", suiteId], "/api/v1/qualifications/{suite_id}", { path: { suite_id: suiteId } });

export const suiteReportHref = (suiteId: string, form: "html" | "pdf"): string =>
  `/api/v1/qualifications/${encodeURIComponent(suiteId)}/report.${form}`;
