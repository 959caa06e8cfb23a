// Objections to public tests: the operator answers and publishes, or refuses.
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { allObjectionsQuery, decideObjection, type ObjectionDecision } from "@/api/objections";
import type { OperatorToken } from "@/api/operations";
import { formatMoment } from "@/lib/format";
import { Failed } from "@/ui/states";
import classes from "./Operations.module.css";
import { Part } from "./Part";

export function Objections({ token }: { token: OperatorToken }) {
  const queries = useQueryClient();
  const objectionsQuery = useQuery(allObjectionsQuery(token));
  const [answer, setAnswer] = useState("");
  const decide = useMutation({
    mutationFn: ({ id, state }: { id: string; state: ObjectionDecision["state"] }) =>
      decideObjection(queries, token, id, { state, answer: answer.trim() || null }),
    onSuccess: () => setAnswer(""),
  });
  const objections = objectionsQuery.data?.items ?? [];
  return (
    <>
      {objectionsQuery.error === null ? null : <Failed error={objectionsQuery.error} what="The objections" />}
      {decide.error === null ? null : <Failed error={decide.error} what="The objection" />}
      <Part title="Objections to tests" empty={objections.length === 0 ? "Nobody objects to a test." : null}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">About</th>
              <th scope="col">Reason</th>
              <th scope="col">By</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="visually-hidden">Decision</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {objections.map((objection) => (
              <tr key={objection.objection_id}>
                <td>
                  <a href={`/drives/${objection.drive_slug}`}>{objection.drive_slug}</a> {objection.about}
                </td>
                <td className={classes["error"]}>{objection.reason}</td>
                <td title={formatMoment(objection.made_at)}>{objection.made_by}</td>
                <td title={objection.decided_at === null ? "" : formatMoment(objection.decided_at)}>
                  {objection.state}
                  {objection.answer === null ? null : <div className="dim">{objection.answer}</div>}
                </td>
                <td>
                  {objection.state === "open" || objection.state === "published" ? (
                    <div className={classes["row"]}>
                      <Button
                        size="compact-xs"
                        variant="default"
                        disabled={answer.trim() === ""}
                        aria-label={`Publish the objection to ${objection.about} with this answer`}
                        onClick={() => decide.mutate({ id: objection.objection_id, state: "published" })}
                      >
                        Publish
                      </Button>
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={`Refuse the objection to ${objection.about}`}
                        onClick={() => decide.mutate({ id: objection.objection_id, state: "refused" })}
                      >
                        Refuse
                      </Button>
                    </div>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      {objections.some(({ state }) => state === "open" || state === "published") ? (
        <TextInput
          maw={520}
          label="Answer of the next decision"
          description="Everybody sees it where the objection is published"
          maxLength={1_000}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}
