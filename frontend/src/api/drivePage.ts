// Requests of the drive page.
import { keepPreviousData } from "@tanstack/react-query";
import { addressOf, getQuery } from "./client";
import type { Schemas } from "./types";

/** The drive page. Each entry of `comparability` names a pair of rows, typed as a list. */
export type DrivePage = Omit<Schemas["DrivePageOut"], "comparability"> & {
  comparability: { row_ids: string[]; reasons: string[] }[];
};
export type DriveRow = Schemas["LeaderboardRowOut"];
export type DriveTest = Schemas["DriveTestOut"];
export type DriveFact = Schemas["DriveFactOut"];
export type DriveLoadCurve = Schemas["LoadCurveOut"];
export type TestVerdict = Schemas["TestVerdictOut"];
export type TestSource = Schemas["TestSourceOut"];

/** Rule set that the leaderboard shows first. */
export const DEFAULT_RULE_SET = "act-performance";

const FRESH_MS = 30_000;

export const driveKeys = { all: ["drives"] as const };

export const drivePageQuery = (slug: string, ruleSet: string) =>
  getQuery(
    [...driveKeys.all, "one", slug, ruleSet],
    "/api/v1/drives/{slug}",
    { path: { slug }, query: { rule_set: ruleSet } },
    {
      // The drive is the same under another rule set, so the previous answer is shown until the new answer arrives.
      placeholderData: (before, query) => (query?.queryKey[2] === slug ? before : undefined),
      staleTime: FRESH_MS,
    },
  );

export const driveSearchQuery = (search: string, limit = 20) =>
  getQuery(
    [...driveKeys.all, "search", search, limit],
    "/api/v1/drives",
    { query: { search, limit } },
    { placeholderData: keepPreviousData, staleTime: FRESH_MS },
  );

/** Returns the URL of a drive's badge as SVG, for embedding in other pages. */
export const badgeAddress = (slug: string, ruleSet: string): string =>
  addressOf(`/api/v1/drives/${encodeURIComponent(slug)}/badge.svg`, { rule_set: ruleSet });
