// Requests of the compare page: subjects against the first, and the published configurations.
import { keepPreviousData } from "@tanstack/react-query";
import { compact } from "@/lib/search";
import { addressOf, getQuery } from "./client";
import type { Schemas } from "./types";

export type Comparison = Schemas["ComparisonOut"];
export type ComparedSubject = Schemas["ComparedSubjectOut"];
export type Pair = Schemas["PairOut"];
export type ComparedSearch = Schemas["ComparedSearchOut"];
export type Gain = Schemas["ComparedGainOut"];

const FRESH_MS = 30_000;
/** Interval between refetches of published documents, in milliseconds. They change only with releases. */
const PUBLISHED_MS = 300_000;

/** Restricts a comparison to an operation, campaign phase or load, or compares each drive of a server separately. */
export type Alignment = {
  readonly operation?: string | undefined;
  readonly phase?: string | undefined;
  readonly load?: number | undefined;
  readonly perDrive?: boolean | undefined;
};

const comparisonParameters = (subjects: readonly string[], { operation, phase, load, perDrive }: Alignment) => ({
  subject: [...subjects],
  ...compact({ operation, phase, load, per_drive: perDrive || undefined }),
});

export const comparisonQuery = (subjects: readonly string[], aligned: Alignment = {}) =>
  getQuery(
    ["comparisons", comparisonParameters(subjects, aligned)],
    "/api/v1/comparisons",
    { query: comparisonParameters(subjects, aligned) },
    { placeholderData: keepPreviousData, staleTime: FRESH_MS },
  );

/** Returns the load searches that the runs belong to, with their brackets compared with the first. */
export const comparedSearchesQuery = (run: readonly string[]) =>
  getQuery(
    ["comparisons", "searches", run],
    "/api/v1/sla/load-searches",
    { query: { run: [...run] } },
    { staleTime: FRESH_MS },
  );

/** Returns the URL of the same comparison as a printable page. */
export const comparisonReportAddress = (subjects: readonly string[], aligned: Alignment): string =>
  addressOf("/api/v1/comparisons/report.html", comparisonParameters(subjects, aligned));

export const publishedSubjectsQuery = () =>
  getQuery(["comparisons", "published"], "/api/v1/comparisons/published", {}, { staleTime: PUBLISHED_MS });
