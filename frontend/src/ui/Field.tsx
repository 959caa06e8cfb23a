// Renders an input within a sentence: text before and after it, and its problem or hint below.
import { Group, Input } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Field.module.css";

type FieldProps = {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Width in characters. */
  width: number;
  problem?: string | undefined;
  hint?: string | undefined;
  before?: ReactNode;
  after?: ReactNode;
  placeholder?: string;
  /** Shows a numeric keyboard on phones. Not for durations, which need letters. */
  numeric?: boolean;
};

export function Field(props: FieldProps) {
  const { label, text, onText, width, problem, hint, numeric = false } = props;
  const noteId = useId();
  const note = problem ?? hint;
  return (
    <div className={classes["field"]}>
      <Group gap="4px 8px">
        {props.before === undefined ? null : <span>{props.before}</span>}
        <Input
          className={classes["input"]}
          style={{ width: `calc(${width}ch + 26px)` }}
          size="sm"
          aria-label={label}
          // Mantine's own ARIA attributes would replace the two below and refer to a wrapper that is not rendered.
          withAria={false}
          aria-invalid={problem !== undefined}
          aria-describedby={note === undefined ? undefined : noteId}
          error={problem !== undefined}
          inputMode={numeric ? "decimal" : "text"}
          autoComplete="off"
          spellCheck={false}
          placeholder={props.placeholder}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
        />
        {props.after === undefined ? null : (
          <span className={props.after === "," ? classes["comma"] : undefined}>{props.after}</span>
        )}
      </Group>
      {note === undefined ? null : (
        <p id={noteId} className={`dim fine ${classes["note"]}`} data-problem={problem !== undefined || undefined}>
          {note}
        </p>
      )}
    </div>
  );
}
