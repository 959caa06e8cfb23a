// Field for a distribution as pasted text or dropped file, with the problem if it is invalid.
import { Button, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { FilePicker } from "@/ui/FilePicker";
import { MOST_BYTES, type PastedDistribution, readPasted } from "./pastedDistribution";

/** Distribution exactly at the limits of the ACT test: 5 %, 1 % and 0.1 % at or over 1, 8 and 64 ms. */
const ACT_LIMIT_EXAMPLE = `{
  "layout": { "t": "explicit", "edges_ns": [0, 1000000, 8000000, 64000000, null] },
  "counts": [9500000, 400000, 90000, 10000]
}`;

/** Name of a distribution that does not come from a file. */
const TYPED = "Pasted distribution";

type PasteProps = {
  onPaste: (pasted: PastedDistribution) => void;
  /** Last judged text and the API's reason to refuse it; null if it was not refused. */
  refused: { readonly text: string; readonly problem: string } | null;
};

export function Paste({ onPaste, refused }: PasteProps) {
  const form = useForm({
    initialValues: { text: refused?.text ?? "", name: TYPED },
    initialErrors: { text: refused?.problem },
    validate: { text: (text, { name }) => readPasted(text, name).problem },
  });
  const write = (text: string, name = TYPED) => {
    form.setValues({ text, name });
    form.clearErrors();
  };
  const judge = form.onSubmit(({ text, name }) => {
    const { pasted } = readPasted(text, name);
    if (pasted !== null) onPaste(pasted);
  });

  const openFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MOST_BYTES) {
      const size = `${(file.size / 2 ** 20).toFixed(1)}\u00a0MiB; at most ${MOST_BYTES / 2 ** 20}\u00a0MiB are taken here`;
      form.setFieldError("text", `${file.name} has ${size}. Judge it with: tailroom judge ${file.name}`);
      return;
    }
    try {
      write(await file.text(), file.name);
      judge();
    } catch {
      form.setFieldError(
        "text",
        `${file.name} could not be read. It may have been moved, or this browser may not read it.`,
      );
    }
  };

  return (
    <form className="stack-8" onSubmit={judge}>
      <Textarea
        aria-label="Distribution as JSON"
        description={
          <>
            JSON with a layout and counts, knots or percentiles; times in nanoseconds. An open last bucket ends with
            null.{" "}
            <button type="button" className="link-button" onClick={() => write(ACT_LIMIT_EXAMPLE)}>
              Show an example
            </button>
          </>
        }
        styles={{ input: { borderStyle: "dashed", fontFamily: "var(--mantine-font-family-monospace)" } }}
        errorProps={{ role: "alert" }}
        rows={8}
        spellCheck={false}
        placeholder="Paste it here, or drop a file"
        {...form.getInputProps("text")}
        onChange={(event) => write(event.currentTarget.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void openFile(event.dataTransfer.files[0]);
        }}
      />
      <div className="row">
        <Button variant="filled" size="xs" type="submit">
          Judge this
        </Button>
        <FilePicker
          accept=".json,application/json"
          label="Distribution as a file"
          onFile={(file) => void openFile(file)}
        >
          Open a file
        </FilePicker>
      </div>
    </form>
  );
}
