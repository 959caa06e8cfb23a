// Requests for the shared catalogue: organisations suggest entries, the operator decides.
import type { QueryClient } from "@tanstack/react-query";
import { client, getQuery, inPath, refetchAfter, storeAnswer } from "./client";
import type { Schemas } from "./types";

export type Suggestion = Schemas["SuggestionOut"];
export type SuggestedFact = Schemas["FactIn"];
export type Decision = Schemas["DecisionIn"];

const ownKey = ["suggestions"] as const;
const allKey = ["operations", "suggestions"] as const;

export const suggestionsQuery = () => getQuery(ownKey, "/api/v1/suggestions", {});

/** Suggests a catalogue entry. All organisations see it after acceptance. */
export const makeSuggestion = (queries: QueryClient, body: Schemas["SuggestionIn"]) =>
  refetchAfter(queries, ownKey, client.POST("/api/v1/suggestions", { body }));

export const withdrawSuggestion = (queries: QueryClient, suggestion_id: string) =>
  storeAnswer(queries, ownKey, client.DELETE("/api/v1/suggestions/{suggestion_id}", inPath({ suggestion_id })));

export const allSuggestionsQuery = () => getQuery(allKey, "/api/v1/operations/suggestions", {});

export const decideSuggestion = (queries: QueryClient, suggestion_id: string, body: Decision) => {
  const options = { ...inPath({ suggestion_id }), body };
  return storeAnswer(queries, allKey, client.POST("/api/v1/operations/suggestions/{suggestion_id}", options));
};
