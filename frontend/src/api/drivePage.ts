// What the page of a drive asks of the API.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";

type Schemas = components["schemas"];
/** A pair of rows arrives as a list of two. */
export type DrivePage = Omit<Schemas["DrivePageOut"], "comparability"> & {
  comparability: { row_ids: string[]; reasons: string[] }[];
};
export type DriveRow = Schemas["LeaderboardRowOut"];
export type DriveTest = Schemas["DriveTestOut"];
export type DriveFact = Schemas["DriveFactOut"];
export type DriveLoadCurve = Schemas["LoadCurveOut"];
export type TestVerdict = Schemas["TestVerdictOut"];
export type TestSource = Schemas["TestSourceOut"];

/** The rule set that the leaderboard starts with. */
export const DEFAULT_RULE_SET = "act-performance";

const FRESH_MS = 30_000;

export const driveKeys = {
  all: ["drives"] as const,
  one: (slug: string) => [...driveKeys.all, "one", slug] as const,
};

export const drivePageQuery = (slug: string, ruleSet: string) =>
  queryOptions({
    queryKey: [...driveKeys.one(slug), ruleSet],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/drives/{slug}", { params: { path: { slug }, query: { rule_set: ruleSet } }, signal })),
    // Under another rule set it is still the same drive: the page before stays until the next is here.
    placeholderData: (before, query) => (query?.queryKey[2] === slug ? before : undefined),
    staleTime: FRESH_MS,
  });

export const driveSearchQuery = (search: string, limit = 20) =>
  queryOptions({
    queryKey: [...driveKeys.all, "search", search, limit],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/drives", { params: { query: { search, limit } }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

/** Where the badge of a drive is as a picture: the address that other pages embed. */
export const badgeAddress = (slug: string, ruleSet: string): string =>
  `/api/v1/drives/${encodeURIComponent(slug)}/badge.svg?rule_set=${encodeURIComponent(ruleSet)}`;
