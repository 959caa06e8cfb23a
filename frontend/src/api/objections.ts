// Objections to public tests: any account can object, the operator decides.
import type { QueryClient } from "@tanstack/react-query";
import { client, getQuery, inPath, storeAnswer, unwrap } from "./client";
import type { Schemas } from "./types";

export type Objection = Schemas["ObjectionOut"];
export type ObjectionDecision = Schemas["ObjectionDecisionIn"];

const ofDrive = (slug: string) => ["objections", slug] as const;
const allKey = ["operations", "objections"] as const;

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

export const allObjectionsQuery = () => getQuery(allKey, "/api/v1/operations/objections", {});

export const decideObjection = (queries: QueryClient, objection_id: string, body: ObjectionDecision) => {
  const options = { ...inPath({ objection_id }), body };
  return storeAnswer(queries, allKey, client.POST("/api/v1/operations/objections/{objection_id}", options));
};
