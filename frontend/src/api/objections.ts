// Objections to public tests: any account can object, the operator decides.
import type { QueryClient } from "@tanstack/react-query";
import { client, getQuery, inPath, refetchAfter, storeAnswer } from "./client";
import type { Schemas } from "./types";

export type Objection = Schemas["ObjectionOut"];
export type ObjectionDecision = Schemas["ObjectionDecisionIn"];

const ofDrive = (slug: string) => ["objections", slug] as const;
const allKey = ["operations", "objections"] as const;

export const objectionsQuery = (slug: string) =>
  getQuery(ofDrive(slug), "/api/v1/drives/{slug}/objections", { path: { slug } });

export const makeObjection = (queries: QueryClient, slug: string, body: Schemas["ObjectionIn"]) =>
  refetchAfter(queries, ofDrive(slug), client.POST("/api/v1/objections", { body }));

export const withdrawObjection = (queries: QueryClient, slug: string, objection_id: string) =>
  refetchAfter(queries, ofDrive(slug), client.DELETE("/api/v1/objections/{objection_id}", inPath({ objection_id })));

export const allObjectionsQuery = () => getQuery(allKey, "/api/v1/operations/objections", {});

export const decideObjection = (queries: QueryClient, objection_id: string, body: ObjectionDecision) => {
  const options = { ...inPath({ objection_id }), body };
  return storeAnswer(queries, allKey, client.POST("/api/v1/operations/objections/{objection_id}", options));
};
