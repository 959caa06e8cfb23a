// Suggestions for the shared catalogue: the operator decides.
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { allSuggestionsQuery, type Decision, decideSuggestion } from "@/api/catalogue";
import type { OperatorToken } from "@/api/operations";
import { factsText, STATES } from "@/entities/catalogue/suggestions";
import { formatMoment } from "@/lib/format";
import { Failed } from "@/ui/states";
import classes from "./Operations.module.css";
import { Part } from "./Part";

export function Suggestions({ token }: { token: OperatorToken }) {
  const queries = useQueryClient();
  const suggestionsQuery = useQuery(allSuggestionsQuery(token));
  const [reason, setReason] = useState("");
  const decide = useMutation({
    mutationFn: ({ id, state }: { id: string; state: Decision["state"] }) =>
      decideSuggestion(queries, token, id, { state, reason: reason.trim() || null }),
    onSuccess: () => setReason(""),
  });
  const suggestions = suggestionsQuery.data?.suggestions ?? [];
  const choices = (state: string, kind: string): Decision["state"][] =>
    state === "open" ? ["accepted", "refused"] : state === "accepted" && kind === "fact" ? ["taken-back"] : [];
  return (
    <>
      {suggestionsQuery.error === null ? null : <Failed error={suggestionsQuery.error} what="The suggestions" />}
      {decide.error === null ? null : <Failed error={decide.error} what="The suggestion" />}
      <Part
        title="Suggestions for the catalogue"
        empty={suggestions.length === 0 ? "Nobody has suggested anything." : null}
      >
        <table className="data">
          <thead>
            <tr>
              <th scope="col">About</th>
              <th scope="col">Everybody would see</th>
              <th scope="col">Suggested by</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="visually-hidden">Decision</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {suggestions.map((suggestion) => (
              <tr key={suggestion.suggestion_id}>
                <td>
                  {suggestion.name} <span className="dim">{suggestion.kind}</span>
                </td>
                <td className={classes["error"]}>{factsText(suggestion.facts) || "its name"}</td>
                <td title={formatMoment(suggestion.suggested_at)}>
                  {suggestion.suggested_by} <span className="dim">{suggestion.organisation ?? ""}</span>
                </td>
                <td title={suggestion.decided_at === null ? "" : formatMoment(suggestion.decided_at)}>
                  {STATES[suggestion.state]}
                  {suggestion.reason === null ? null : <div className="dim">{suggestion.reason}</div>}
                </td>
                <td>
                  <div className={classes["row"]}>
                    {choices(suggestion.state, suggestion.kind).map((state) => (
                      <Button
                        key={state}
                        size="compact-xs"
                        variant="default"
                        aria-label={`${WORDS[state]} ${suggestion.name}`}
                        onClick={() => decide.mutate({ id: suggestion.suggestion_id, state })}
                      >
                        {WORDS[state]}
                      </Button>
                    ))}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      {suggestions.some(({ state, kind }) => choices(state, kind).length > 0) ? (
        <TextInput
          maw={520}
          label="Reason of the next decision"
          description="For whoever suggested it; may be empty"
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}

const WORDS: Readonly<Record<Decision["state"], string>> = {
  accepted: "Accept",
  refused: "Refuse",
  "taken-back": "Take back",
};
