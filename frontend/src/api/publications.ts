// Requests of the publication pages.
import { getQuery } from "./client";
import type { Schemas } from "./types";

export type PublicationSummary = Schemas["PublicationSummaryOut"];
export type Publication = Schemas["PublicationOut"];

/** Age in milliseconds at which documents are refetched. They change only with releases. */
const FRESH_MS = 300_000;

export const publicationListQuery = () =>
  getQuery(["publications", "list"], "/api/v1/publications", {}, { staleTime: FRESH_MS });

export const publicationQuery = (slug: string) =>
  getQuery(["publications", "one", slug], "/api/v1/publications/{slug}", { path: { slug } }, { staleTime: FRESH_MS });
