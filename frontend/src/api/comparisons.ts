// What the compare page asks of the API: subjects against the first, and which published configurations there are.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";

type Schemas = components["schemas"];
export type Comparison = Schemas["ComparisonOut"];
export type ComparedSubject = Schemas["ComparedSubjectOut"];
export type Pair = Schemas["PairOut"];
export type Gain = Schemas["ComparedGainOut"];

const FRESH_MS = 30_000;
/** Documents change with releases only. */
const PUBLISHED_MS = 300_000;

export const comparisonQuery = (subjects: readonly string[], operation: string | undefined) =>
  queryOptions({
    queryKey: ["comparisons", subjects, operation ?? null],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/api/v1/comparisons", {
          params: { query: { subject: [...subjects], ...(operation === undefined ? {} : { operation }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** The same as a page that prints. */
export function comparisonReportAddress(subjects: readonly string[], operation: string | undefined): string {
  const asked = new URLSearchParams(subjects.map((one) => ["subject", one]));
  if (operation !== undefined) asked.set("operation", operation);
  return `/api/v1/comparisons/report.html?${asked}`;
}

export const publishedSubjectsQuery = () =>
  queryOptions({
    queryKey: ["comparisons", "published"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/comparisons/published", { signal })),
    staleTime: PUBLISHED_MS,
  });
