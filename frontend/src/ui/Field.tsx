// A field inside a sentence: words before and after, a slider below where there is a scale, and what is wrong beside it.
import { Input } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./Field.module.css";

type Slider = {
  /** Values that the slider can stand at, by index. */
  readonly stops: readonly number[];
  /** Where it stands: the stop nearest to the value. */
  readonly index: number;
  readonly write: (stop: number) => string;
  /** The value as it is read out. */
  readonly spoken: string;
};

type FieldProps = {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Width in characters. */
  width: number;
  problem?: string | undefined;
  hint?: string | undefined;
  slider?: Slider | undefined;
  before?: ReactNode;
  after?: ReactNode;
  placeholder?: string;
  /** For sums and rates the phone shows digits; times need letters. */
  numeric?: boolean;
  /** The field that `/` leads to. */
  first?: boolean;
};

export function Field(props: FieldProps) {
  const { label, text, onText, width, problem, hint, slider, numeric = false } = props;
  const noteId = useId();
  const note = problem ?? hint;
  return (
    <div className={classes["field"]}>
      <div className={classes["phrase"]}>
        {props.before === undefined ? null : <span>{props.before}</span>}
        <Input
          className={classes["input"]}
          style={{ width: `calc(${width}ch + 26px)` }}
          size="sm"
          aria-label={label}
          // Its own would replace the two below by those of a wrapper that is not here.
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
          {...(props.first ? { "data-shortcut": "/" } : {})}
        />
        {props.after === undefined ? null : (
          <span className={props.after === "," ? classes["comma"] : undefined}>{props.after}</span>
        )}
      </div>
      {slider === undefined ? null : (
        <input
          type="range"
          className={`${classes["slider"]} no-print`}
          aria-label={`${label}, slider`}
          aria-valuetext={slider.spoken}
          min={0}
          max={slider.stops.length - 1}
          step={1}
          value={slider.index}
          onChange={(event) => {
            const stop = slider.stops[Number(event.currentTarget.value)];
            if (stop !== undefined) onText(slider.write(stop));
          }}
        />
      )}
      {note === undefined ? null : (
        <p id={noteId} className={classes["note"]} data-problem={problem !== undefined || undefined}>
          {note}
        </p>
      )}
    </div>
  );
}
