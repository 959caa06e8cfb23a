// Requests for the operator of an installation.
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { client, getQuery, inPath, unwrap } from "./client";
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

export async function setQuota(queries: QueryClient, organisation_id: string, body: Limits): Promise<void> {
  const options = { ...inPath({ organisation_id }), body };
  await unwrap(client.PUT("/api/v1/operations/organisations/{organisation_id}/quota", options));
  await queries.invalidateQueries({ queryKey: key });
}

/** Retries given-up work of one subject, or of all without `subject`. */
export async function retryWork(queries: QueryClient, subject?: string): Promise<void> {
  await (subject === undefined
    ? unwrap(client.POST("/api/v1/operations/retry"))
    : unwrap(client.POST("/api/v1/operations/retry/{subject}", inPath({ subject }))));
  await queries.invalidateQueries({ queryKey: key });
}

export async function importOrganisation(queries: QueryClient, pack: File) {
  const imported = await unwrap(
    client.POST("/api/v1/operations/organisations/import", {
      headers: { "Content-Type": "application/octet-stream" },
      // The body is the file itself, although the generated type is string.
      body: pack as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
  await queries.invalidateQueries({ queryKey: key });
  return imported;
}
