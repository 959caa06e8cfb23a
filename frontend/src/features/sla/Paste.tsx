// Takes a distribution as text or as a file dropped on the field, and says what is wrong with one that is none.
import { Button } from "@mantine/core";
import { type DragEvent, useId, useRef, useState } from "react";
import { MOST_BYTES, type Pasted, readPasted } from "./pasted";
import classes from "./SubjectPicker.module.css";

/** A drive exactly at the limits of the ACT test: 5 %, 1 % and 0.1 % at or over 1, 8 and 64 ms. */
const ACT_LIMIT_EXAMPLE = `{
  "layout": { "t": "explicit", "edges_ns": [0, 1000000, 8000000, 64000000, null] },
  "counts": [9500000, 400000, 90000, 10000]
}`;

type PasteProps = {
  onPaste: (pasted: Pasted) => void;
  /** What was judged last and was refused, with what the API said. */
  refused: { readonly text: string; readonly problem: string } | null;
};

export function Paste({ onPaste, refused }: PasteProps) {
  const [text, setText] = useState(refused?.text ?? "");
  const [problem, setProblem] = useState<string | null>(refused?.problem ?? null);
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const helpId = useId();

  const take = (content: string, name: string) => {
    const result = readPasted(content, name);
    setProblem(result.problem);
    if (result.pasted !== null) onPaste(result.pasted);
  };

  const takeFile = async (chosenFile: File | undefined) => {
    if (chosenFile === undefined) return;
    if (chosenFile.size > MOST_BYTES) {
      setProblem(
        `${chosenFile.name} has ${(chosenFile.size / 2 ** 20).toFixed(1)}\u00a0MiB; at most ${MOST_BYTES / 2 ** 20}\u00a0MiB are taken here. Judge it with \`tailroom judge ${chosenFile.name}\`.`,
      );
      return;
    }
    try {
      const content = await chosenFile.text();
      setText(content);
      take(content, chosenFile.name);
    } catch {
      setProblem(`${chosenFile.name} could not be read. It may have been moved, or this browser may not read it.`);
    }
  };

  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void takeFile(event.dataTransfer.files[0]);
  };

  return (
    <div className="stack-8">
      <p id={helpId} className="dim">
        JSON with a layout and counts, knots or percentiles; times in nanoseconds. An open last bucket ends with null.{" "}
        <button type="button" className={classes["example"]} onClick={() => setText(ACT_LIMIT_EXAMPLE)}>
          Show an example
        </button>
      </p>
      <textarea
        className={classes["text"]}
        aria-label="Distribution as JSON"
        aria-describedby={problem === null ? helpId : `${helpId} ${problemId}`}
        aria-invalid={problem !== null}
        data-over={over || undefined}
        spellCheck={false}
        placeholder="Paste it here, or drop a file"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      />
      {problem === null ? null : (
        <p id={problemId} role="alert" className={classes["problem"]}>
          {problem}
        </p>
      )}
      <div className="row">
        <Button size="xs" onClick={() => take(text, "Pasted distribution")}>
          Judge this
        </Button>
        <Button size="xs" variant="default" onClick={() => file.current?.click()}>
          Open a file
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          accept=".json,application/json"
          onChange={(event) => void takeFile(event.currentTarget.files?.[0])}
        />
      </div>
    </div>
  );
}
