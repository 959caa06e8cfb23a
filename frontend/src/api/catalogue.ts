// Requests for the shared catalogue: organisations suggest entries, the operator decides.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { client, getQuery, unwrap } from "./client";
import { headersOf, type OperatorToken } from "./operations";
import type { Schemas } from "./types";

export type Suggestion = Schemas["SuggestionOut"];
export type SuggestedFact = Schemas["FactIn"];
export type Decision = Schemas["DecisionIn"];

const ownKey = ["suggestions"] as const;
const allKey = ["operations", "suggestions"] as const;

export const suggestionsQuery = () => getQuery(ownKey, "/api/v1/suggestions", {});

/** Suggests a catalogue entry. All organisations see it after acceptance. */
export async function makeSuggestion(queries: QueryClient, body: Schemas["SuggestionIn"]): Promise<Suggestion> {
  const made = await unwrap(client.POST("/api/v1/suggestions", { body }));
  await queries.invalidateQueries({ queryKey: ownKey });
  return made;
}

export async function withdrawSuggestion(queries: QueryClient, suggestionId: string): Promise<void> {
  const path = { suggestion_id: suggestionId };
  queries.setQueryData(
    ownKey,
    await unwrap(client.DELETE("/api/v1/suggestions/{suggestion_id}", { params: { path } })),
  );
}

export const allSuggestionsQuery = (token: OperatorToken) =>
  queryOptions({
    queryKey: [...allKey, token],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/operations/suggestions", { headers: headersOf(token), signal })),
  });

export async function decideSuggestion(
  queries: QueryClient,
  token: OperatorToken,
  suggestionId: string,
  body: Decision,
): Promise<void> {
  const path = { suggestion_id: suggestionId };
  const headers = headersOf(token);
  queries.setQueryData(
    [...allKey, token],
    await unwrap(client.POST("/api/v1/operations/suggestions/{suggestion_id}", { params: { path }, headers, body })),
  );
}
