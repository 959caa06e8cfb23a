// A qualification suite of a drive, and its report.
import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";

export type Suite = components["schemas"]["SuiteOut"];
export type SuiteStep = Suite["steps"][number];
export type SuiteLoad = SuiteStep["loads"][number];
export type SuitePlot = SuiteStep["plots"][number];

export const suiteQuery = (suiteId: string) =>
  queryOptions({
    queryKey: ["qualifications", suiteId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/qualifications/{suite_id}", { params: { path: { suite_id: suiteId } }, signal })),
  });

export const suiteReportHref = (suiteId: string, form: "html" | "pdf"): string =>
  `/api/v1/qualifications/${encodeURIComponent(suiteId)}/report.${form}`;
