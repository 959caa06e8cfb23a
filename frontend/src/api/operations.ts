// Requests for the operator of an installation. The operator's token, if any, is only held in this tab.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { Schemas } from "./types";

export type Operations = Schemas["OverviewOut"];
export type OperatorToken = string | null;

const key = ["operations"] as const;

export const headersOf = (token: OperatorToken) => (token === null ? {} : { Authorization: `Bearer ${token}` });

export const operationsQuery = (token: OperatorToken) =>
  queryOptions({
    queryKey: [...key, token],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/operations", { headers: headersOf(token), signal })),
    refetchInterval: 10_000,
  });

export type Limits = Schemas["LimitsIn"];

export async function setQuota(queries: QueryClient, token: OperatorToken, organisationId: string, body: Limits) {
  const path = { organisation_id: organisationId };
  await unwrap(
    client.PUT("/api/v1/operations/organisations/{organisation_id}/quota", {
      params: { path },
      headers: headersOf(token),
      body,
    }),
  );
  await queries.invalidateQueries({ queryKey: key });
}

/** Retries given-up work of one subject, or of all without `subject`. Returns the number of retried tasks. */
export async function retryWork(queries: QueryClient, token: OperatorToken, subject?: string): Promise<number> {
  const headers = headersOf(token);
  const retried =
    subject === undefined
      ? await unwrap(client.POST("/api/v1/operations/retry", { headers }))
      : await unwrap(client.POST("/api/v1/operations/retry/{subject}", { params: { path: { subject } }, headers }));
  await queries.invalidateQueries({ queryKey: key });
  return retried.works;
}

export async function importOrganisation(queries: QueryClient, token: OperatorToken, pack: File) {
  const imported = await unwrap(
    client.POST("/api/v1/operations/organisations/import", {
      headers: { ...headersOf(token), "Content-Type": "application/octet-stream" },
      // The body is the file itself, although the generated type is string.
      body: pack as unknown as string,
      bodySerializer: (body) => body,
    }),
  );
  await queries.invalidateQueries({ queryKey: key });
  return imported;
}
