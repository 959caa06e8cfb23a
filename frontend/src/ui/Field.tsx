// Renders an input within a sentence: text before and after it, and its problem or hint below.
import { Group, Input } from "@mantine/core";
import { type ReactNode, useId } from "react";

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
    <div className="stack-4 self-top" style={{ minWidth: 0 }}>
      <Group gap="4px 8px">
        {props.before === undefined ? null : <span>{props.before}</span>}
        <Input
          style={{ flex: "none", width: `calc(${width}ch + 26px)`, maxWidth: "100%" }}
          styles={{ input: { textAlign: "center", fontVariantNumeric: "tabular-nums" } }}
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
          <span style={{ marginLeft: props.after === "," ? -6 : undefined }}>{props.after}</span>
        )}
      </Group>
      {note === undefined ? null : (
        <p
          id={noteId}
          className="dim fine"
          style={{ maxWidth: "36ch", color: problem === undefined ? undefined : "var(--fail-ink)" }}
        >
          {note}
        </p>
      )}
    </div>
  );
}
