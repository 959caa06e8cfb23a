// Suggestions for the shared catalogue, on which the operator decides.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { allSuggestionsQuery, type Decision, decideSuggestion } from "@/api/catalogue";
import { factsText, STATES } from "@/entities/catalogue/suggestions";
import { Decisions } from "./Decisions";

type State = Decision["state"];

export function Suggestions() {
  const queries = useQueryClient();
  const { data, error } = useQuery(allSuggestionsQuery());
  return (
    <Decisions
      title="Suggestions for the catalogue"
      empty="Nobody has suggested anything."
      what={{ single: "The suggestion", all: "The suggestions" }}
      heads={{ text: "Everybody would see", by: "Suggested by" }}
      field={{
        label: "Reason of the next decision",
        description: "For whoever suggested it; may be empty",
        maxLength: 200,
      }}
      error={error}
      decide={(id, state: State, reason) => decideSuggestion(queries, id, { state, reason })}
      proposals={(data?.suggestions ?? []).map((suggestion) => ({
        id: suggestion.suggestion_id,
        about: (
          <>
            {suggestion.name} <span className="dim">{suggestion.kind}</span>
          </>
        ),
        text: factsText(suggestion.facts) || "its name",
        by: (
          <>
            {suggestion.suggested_by} <span className="dim">{suggestion.organisation ?? ""}</span>
          </>
        ),
        madeAt: suggestion.suggested_at,
        stateText: STATES[suggestion.state],
        decidedAt: suggestion.decided_at,
        answer: suggestion.reason,
        choices: statesAfter(suggestion.state, suggestion.kind).map((state) => ({
          state,
          label: WORDS[state],
          name: `${WORDS[state]} ${suggestion.name}`,
        })),
      }))}
    />
  );
}

function statesAfter(state: string, kind: string): readonly State[] {
  if (state === "open") return ["accepted", "refused"];
  return state === "accepted" && kind === "fact" ? ["taken-back"] : [];
}

const WORDS: Readonly<Record<State, string>> = {
  accepted: "Accept",
  refused: "Refuse",
  "taken-back": "Take back",
};
