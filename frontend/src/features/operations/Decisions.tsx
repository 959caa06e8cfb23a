// What others propose to everybody, and the operator decides: one table with a text for the next decision.
import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatMoment } from "@/lib/format";
import { Failed } from "@/ui/states";
import classes from "./Operations.module.css";
import { Part } from "./Part";

export type Choice<State extends string> = {
  readonly state: State;
  readonly label: string;
  /** The name for a screen reader, which says what is decided. */
  readonly name: string;
  readonly needsText?: boolean;
};

export type Proposal<State extends string> = {
  readonly id: string;
  readonly about: ReactNode;
  readonly text: string;
  readonly by: ReactNode;
  readonly madeAt: string;
  readonly stateText: string;
  readonly decidedAt: string | null;
  readonly answer: string | null;
  readonly choices: readonly Choice<State>[];
};

type DecisionsProps<State extends string> = {
  readonly title: string;
  readonly empty: string;
  /** One of them, and all of them, in messages of failures. */
  readonly what: { readonly single: string; readonly all: string };
  readonly heads: { readonly text: string; readonly by: string };
  readonly field: { readonly label: string; readonly description: string; readonly maxLength: number };
  readonly error: Error | null;
  readonly proposals: readonly Proposal<State>[];
  readonly decide: (id: string, state: State, text: string | null) => Promise<unknown>;
};

export function Decisions<State extends string>(props: DecisionsProps<State>) {
  const { title, empty, what, heads, field, error, proposals, decide } = props;
  const [text, setText] = useState("");
  const decision = useMutation({
    mutationFn: ({ id, state }: { id: string; state: State }) => decide(id, state, text.trim() || null),
    onSuccess: () => setText(""),
  });
  return (
    <>
      {error === null ? null : <Failed error={error} what={what.all} />}
      {decision.error === null ? null : <Failed error={decision.error} what={what.single} />}
      <Part title={title} empty={proposals.length === 0 ? empty : null}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">About</th>
              <th scope="col">{heads.text}</th>
              <th scope="col">{heads.by}</th>
              <th scope="col">State</th>
              <th scope="col">
                <span className="visually-hidden">Decision</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {proposals.map(({ id, about, text: proposed, by, madeAt, stateText, decidedAt, answer, choices }) => (
              <tr key={id}>
                <td>{about}</td>
                <td className={classes["error"]}>{proposed}</td>
                <td title={formatMoment(madeAt)}>{by}</td>
                <td title={decidedAt === null ? "" : formatMoment(decidedAt)}>
                  {stateText}
                  {answer === null ? null : <div className="dim">{answer}</div>}
                </td>
                <td>
                  <div className={classes["row"]}>
                    {choices.map((choice) => (
                      <Button
                        key={choice.state}
                        size="compact-xs"
                        variant="default"
                        disabled={choice.needsText === true && text.trim() === ""}
                        aria-label={choice.name}
                        onClick={() => decision.mutate({ id, state: choice.state })}
                      >
                        {choice.label}
                      </Button>
                    ))}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      {proposals.some(({ choices }) => choices.length > 0) ? (
        <TextInput maw={520} {...field} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      ) : null}
    </>
  );
}
