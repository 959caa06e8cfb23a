// Objections to public tests, which the operator answers and publishes, or refuses.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { allObjectionsQuery, decideObjection, type ObjectionDecision } from "@/api/objections";
import { Decisions } from "./Decisions";

type State = ObjectionDecision["state"];

export function Objections() {
  const queries = useQueryClient();
  const { data, error } = useQuery(allObjectionsQuery());
  return (
    <Decisions<State>
      title="Objections to tests"
      empty="Nobody objects to a test."
      what={{ single: "The objection", all: "The objections" }}
      heads={{ text: "Reason", by: "By" }}
      field={{
        label: "Answer of the next decision",
        description: "Everybody sees it where the objection is published",
        maxLength: 1_000,
      }}
      error={error}
      decide={(id, state: State, answer) => decideObjection(queries, id, { state, answer })}
      proposals={(data?.items ?? []).map((objection) => ({
        id: objection.objection_id,
        about: (
          <>
            <a href={`/drives/${objection.drive_slug}`}>{objection.drive_slug}</a> {objection.about}
          </>
        ),
        text: objection.reason,
        by: objection.made_by,
        madeAt: objection.made_at,
        stateText: objection.state,
        decidedAt: objection.decided_at,
        answer: objection.answer,
        choices:
          objection.state === "open" || objection.state === "published"
            ? [
                {
                  state: "published",
                  label: "Publish",
                  name: `Publish the objection to ${objection.about} with this answer`,
                  needsText: true,
                },
                { state: "refused", label: "Refuse", name: `Refuse the objection to ${objection.about}` },
              ]
            : [],
      }))}
    />
  );
}
