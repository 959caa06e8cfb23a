// Requests for the operator of an installation.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, getQuery, inPath, refetchAfter } from "./client";
import type { Schemas } from "./types";

export type Operations = Schemas["OverviewOut"];
export type Limits = Schemas["LimitsIn"];

const key = ["operations"] as const;

/** Token of an operator whose e-mail address the installation does not list. */
let operatorToken: string | null = null;
client.use({
  onRequest({ request, schemaPath }) {
    if (operatorToken !== null && schemaPath.startsWith("/api/v1/operations"))
      request.headers.set("Authorization", `Bearer ${operatorToken}`);
  },
});

/** Returns a function that sets the operator's token. It is forgotten, with all answers to it, when the page is left. */
export function useOperatorToken(): (token: string) => void {
  const queries = useQueryClient();
  useEffect(
    () => () => {
      operatorToken = null;
      queries.removeQueries({ queryKey: key });
    },
    [queries],
  );
  return (token) => {
    operatorToken = token;
    void queries.resetQueries({ queryKey: key });
  };
}

export const operationsQuery = () => getQuery(key, "/api/v1/operations", {}, { refetchInterval: 10_000 });

export const setQuota = (queries: QueryClient, organisation_id: string, body: Limits) => {
  const options = { ...inPath({ organisation_id }), body };
  return refetchAfter(queries, key, client.PUT("/api/v1/operations/organisations/{organisation_id}/quota", options));
};

/** Retries given-up work of one subject, or of all without `subject`. */
export const retryWork = (queries: QueryClient, subject?: string) =>
  subject === undefined
    ? refetchAfter(queries, key, client.POST("/api/v1/operations/retry"))
    : refetchAfter(queries, key, client.POST("/api/v1/operations/retry/{subject}", inPath({ subject })));

export const importOrganisation = (queries: QueryClient, pack: File) =>
  refetchAfter(
    queries,
    key,
    client.POST("/api/v1/operations/organisations/import", {
      headers: { "Content-Type": "application/octet-stream" },
      // The body is the file itself, although the generated type is string.
      body: pack as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
