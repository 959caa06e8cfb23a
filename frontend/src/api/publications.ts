// Requests of the publication pages.
import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";
import type { Schemas } from "./types";

export type PublicationSummary = Schemas["PublicationSummaryOut"];
export type Publication = Schemas["PublicationOut"];

/** Age in milliseconds at which documents are refetched. They change only with releases. */
const FRESH_MS = 300_000;

export const publicationListQuery = () =>
  queryOptions({
    queryKey: ["publications", "list"],
    queryFn: ({ signal }) => get("/api/v1/publications", {}, signal),
    staleTime: FRESH_MS,
  });

export const publicationQuery = (slug: string) =>
  queryOptions({
    queryKey: ["publications", "one", slug],
    queryFn: ({ signal }) => get("/api/v1/publications/{slug}", { path: { slug } }, signal),
    staleTime: FRESH_MS,
  });
