// Objections to public tests: any account can object, the operator decides.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, getQuery, inPath, unwrap } from "./client";
import { headersOf, type OperatorToken } from "./operations";
import type { Schemas } from "./types";

export type Objection = Schemas["ObjectionOut"];
export type ObjectionDecision = Schemas["ObjectionDecisionIn"];

const ofDrive = (slug: string) => ["objections", slug] as const;
const ofAll = (token: OperatorToken) => ["operations", "objections", token] as const;

export const objectionsQuery = (slug: string) =>
  getQuery(ofDrive(slug), "/api/v1/drives/{slug}/objections", { path: { slug } });

export async function makeObjection(queries: QueryClient, slug: string, body: Schemas["ObjectionIn"]): Promise<void> {
  await unwrap(client.POST("/api/v1/objections", { body }));
  await queries.invalidateQueries({ queryKey: ofDrive(slug) });
}

export async function withdrawObjection(queries: QueryClient, slug: string, objection_id: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/objections/{objection_id}", inPath({ objection_id })));
  await queries.invalidateQueries({ queryKey: ofDrive(slug) });
}

export const allObjectionsQuery = (token: OperatorToken) =>
  queryOptions({
    queryKey: ofAll(token),
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/operations/objections", { headers: headersOf(token), signal })),
  });

export async function decideObjection(
  queries: QueryClient,
  token: OperatorToken,
  objectionId: string,
  body: ObjectionDecision,
): Promise<void> {
  const path = { objection_id: objectionId };
  const headers = headersOf(token);
  queries.setQueryData(
    ofAll(token),
    await unwrap(client.POST("/api/v1/operations/objections/{objection_id}", { params: { path }, headers, body })),
  );
}
