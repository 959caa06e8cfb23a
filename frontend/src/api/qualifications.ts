// Requests for qualification suites of drives and their reports.
import { infiniteQueryOptions } from "@tanstack/react-query";
import { get, getQuery } from "./client";
import type { Schemas } from "./types";

export type Suite = Schemas["SuiteOut"];
export type SuiteStep = Suite["steps"][number];
export type SuiteLoad = SuiteStep["loads"][number];
export type SuitePlot = SuiteStep["plots"][number];

export type SuiteSummary = Schemas["SuiteSummaryOut"];

export const suitesQuery = () =>
  infiniteQueryOptions({
    queryKey: ["qualifications", "list"],
    queryFn: ({ pageParam, signal }) =>
      get("/api/v1/qualifications", { query: pageParam === null ? {} : { cursor: pageParam } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });

export const suiteQuery = (suiteId: string) =>
  getQuery(["qualifications", suiteId], "/api/v1/qualifications/{suite_id}", { path: { suite_id: suiteId } });

export const suiteReportHref = (suiteId: string, form: "html" | "pdf"): string =>
  `/api/v1/qualifications/${encodeURIComponent(suiteId)}/report.${form}`;
