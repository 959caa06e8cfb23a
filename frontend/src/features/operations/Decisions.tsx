// Table of proposals on which the operator decides, with a text field for the decision.
import { TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { formatMoment } from "@/lib/format";
import { RowButton } from "@/ui/ConfirmDialog";
import { ACTIONS, NAME_CELL } from "@/ui/DataTable";
import { Failed } from "@/ui/states";
import { Part } from "./Part";

export type Choice<State extends string> = {
  readonly state: State;
  readonly label: string;
  /** Accessible name of the button, which includes the subject of the decision. */
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
  /** Singular and plural noun of the proposals, for error messages. */
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
      <Failed error={error} what={what.all} />
      <Failed error={decision.error} what={what.single} />
      <Part
        title={title}
        empty={proposals.length === 0 ? empty : null}
        rows={proposals}
        rowId="id"
        columns={[
          { header: "About", accessorKey: "about", meta: NAME_CELL },
          { header: heads.text, accessorKey: "text", meta: NAME_CELL },
          { header: heads.by, accessorFn: ({ by, madeAt }) => <span title={formatMoment(madeAt)}>{by}</span> },
          {
            header: "State",
            accessorFn: ({ stateText, decidedAt, answer }) => (
              <div title={decidedAt === null ? "" : formatMoment(decidedAt)}>
                {stateText}
                {answer === null ? null : <div className="dim">{answer}</div>}
              </div>
            ),
          },
          {
            ...ACTIONS,
            accessorFn: ({ id, choices }) => (
              <div className="row">
                {choices.map((choice) => (
                  <RowButton
                    key={choice.state}
                    label={choice.label}
                    name={choice.name}
                    disabled={choice.needsText === true && text.trim() === ""}
                    onClick={() => decision.mutate({ id, state: choice.state })}
                  />
                ))}
              </div>
            ),
          },
        ]}
      />
      {proposals.some(({ choices }) => choices.length > 0) ? (
        <TextInput maw={520} {...field} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      ) : null}
    </>
  );
}
