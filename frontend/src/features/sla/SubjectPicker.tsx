// Choice of the judged subject: a stored run with operation and clock, or a pasted distribution.
import { Button, SegmentedControl, Select, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { runDetailQuery, runListQuery } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { DEFAULTS } from "@/entities/question/question";
import { clockMeaning, clockName, operationName, workloadName } from "@/entities/run/words";
import { isId } from "@/lib/ids";
import { FilesButton } from "@/ui/FilesButton";
import { PASTED, type SlaChange, type SlaSearch, shownText } from "./address";
import { MOST_BYTES, type PastedDistribution, readPasted } from "./pastedDistribution";

export type SubjectPickerProps = {
  search: SlaSearch;
  onChoose: (change: SlaChange) => void;
  pasted: PastedDistribution | null;
  onPaste: (pasted: PastedDistribution) => void;
  /** Reason of the API to refuse the pasted distribution; null if it is accepted. */
  refusal: string | null;
  /** Whether no run is stored, so that a distribution has to be pasted. */
  noRuns: boolean;
};

export function SubjectPicker({ search, onChoose, pasted, onPaste, refusal, noRuns }: SubjectPickerProps) {
  const usesPasted = search.from === PASTED;
  // A paste field that opened for lack of runs stays open when a run arrives.
  const [isOpened, setAsked] = useState(noRuns && !usesPasted);
  const refused = usesPasted && pasted !== null && refusal !== null ? { text: pasted.text, problem: refusal } : null;
  const pasting = isOpened || (noRuns && !usesPasted) || (usesPasted && pasted === null) || refused !== null;
  const named = usesPasted || search.run === undefined ? null : String(search.run);
  const runId = named !== null && isId(named) ? named : null;
  return (
    <section className="stack-12" aria-label="Asked of">
      <div className="row">
        {/* Above the run's field, whose open list would cover them. */}
        {(noRuns && !usesPasted) || (usesPasted && pasted === null) ? null : (
          <div className="wrap" style={{ flexBasis: "100%" }}>
            {usesPasted && !noRuns ? (
              <Button size="xs" onClick={() => onChoose({ from: undefined })}>
                Choose a run
              </Button>
            ) : null}
            <Button size="xs" aria-expanded={pasting} onClick={() => setAsked((before) => !before)}>
              {usesPasted ? "Paste another" : "Paste a distribution"}
            </Button>
          </div>
        )}
        {usesPasted && pasted !== null ? (
          <p style={{ flex: "1 1 240px" }}>
            <strong>{pasted.name}</strong>
            <span className="dim"> · in this browser tab only: a link to this page does not carry it</span>
          </p>
        ) : noRuns && !usesPasted ? (
          <p>
            <strong>No runs yet.</strong> <Link to="/">Measure this machine</Link>, or judge a distribution of your own:
          </p>
        ) : (
          <RunSelect runId={runId} onChoose={onChoose} />
        )}
        {runId === null ? null : <SeriesChoice runId={runId} search={search} onChoose={onChoose} />}
      </div>
      {usesPasted && pasted === null ? (
        <p>The distribution of this link is not in this browser tab. Paste it here, or choose a run.</p>
      ) : null}
      {pasting ? (
        <Paste
          key={refused === null ? "new" : pasted?.key}
          refused={refused}
          onPaste={(next) => {
            onPaste(next);
            setAsked(false);
            onChoose({ from: PASTED, run: undefined, op: undefined, clock: undefined });
          }}
        />
      ) : null}
    </section>
  );
}

const labelOf = (run: { title: string; host_name: string | null; workload: string }): string =>
  [run.title, workloadName(run.workload), run.host_name].filter((part) => part !== null && part !== "").join(" · ");

function RunSelect({ runId, onChoose }: { runId: string | null; onChoose: SubjectPickerProps["onChoose"] }) {
  const [typed, setTyped] = useState("");
  const chosen = useQuery({ ...runDetailQuery(runId ?? ""), enabled: runId !== null });
  const chosenLabel = chosen.data === undefined ? null : labelOf(chosen.data);
  const search = typed.trim() === chosenLabel ? "" : typed.trim();
  const [debounced] = useDebouncedValue(search, 200);
  const runs = useInfiniteQuery(runListQuery(debounced === "" ? {} : { q: debounced.slice(0, 100) }));
  const matches = runs.data?.pages[0]?.runs ?? [];
  const choices = matches.map((run) => ({ value: run.run_id, label: labelOf(run) }));
  if (runId !== null && chosenLabel !== null && !choices.some((choice) => choice.value === runId))
    choices.unshift({ value: runId, label: chosenLabel });
  return (
    <Select
      aria-label="Run"
      data-autofocus
      style={{ flex: "1 1 320px", maxWidth: 560 }}
      comboboxProps={{ withinPortal: false, middlewares: { flip: false } }}
      placeholder={runs.isPending ? "Loading runs" : "Choose a run"}
      searchable
      data={choices}
      // The API has already filtered by title and host.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage="No run is called that."
      value={runId}
      maxDropdownHeight={320}
      onChange={(value) => {
        if (value !== null && value !== runId)
          onChoose({ run: value, from: undefined, op: undefined, clock: undefined });
      }}
    />
  );
}

/** Returns the default clock of an operation: response time if measured; undefined without any clock. */
function defaultClock(run: RunDetail, operation: string): string | undefined {
  const clocks = run.series.filter((series) => series.operation === operation).map((series) => series.clock);
  return ["response", "service", "operation", "queue"].find((clock) => clocks.some((candidate) => candidate === clock));
}

type SeriesChoiceProps = { runId: string; search: SlaSearch; onChoose: SubjectPickerProps["onChoose"] };

function SeriesChoice({ runId, search, onChoose }: SeriesChoiceProps) {
  const run = useQuery(runDetailQuery(runId)).data;
  if (run === undefined || run.series.length === 0) return null;
  const operations = [...new Set(run.series.map((series) => series.operation))];
  const operation = shownText(search, "op", DEFAULTS.op);
  const ofOperation = run.series.filter((series) => series.operation === operation);
  const clocks: string[] = [...new Set(ofOperation.map((series) => series.clock))];
  const clock = shownText(search, "clock", defaultClock(run, operation));
  const unknown = !operations.includes(operation);
  const clockUnknown = !unknown && search.clock !== undefined && !clocks.includes(clock);
  return (
    <>
      {operations.length > 1 || unknown ? (
        <Select
          aria-label="Operation"
          comboboxProps={{ withinPortal: false }}
          data={operations.map((name) => ({ value: name, label: operationName(name) }))}
          value={unknown ? null : operation}
          placeholder="Operation"
          error={unknown ? `This run has no operation “${operation}”.` : undefined}
          onChange={(value) => onChoose({ op: value ?? undefined, clock: undefined })}
        />
      ) : null}
      {clocks.length > 1 || clockUnknown ? (
        <div title={clockMeaning(clock)}>
          <SegmentedControl
            size="xs"
            aria-label="Clock"
            data={clocks.map((name) => ({ value: name, label: clockName(name) }))}
            value={clockUnknown ? "" : clock}
            onChange={(value) => onChoose({ clock: value })}
          />
          {clockUnknown ? (
            <p className="smaller" style={{ marginTop: 4, color: "var(--fail-ink)" }}>
              {operationName(operation)} was not timed by a clock “{clock}” here.
            </p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

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
        <FilesButton
          isSingle
          size="xs"
          accept=".json,application/json"
          label="Distribution as a file"
          onFiles={([file]) => void openFile(file)}
        >
          Open a file
        </FilesButton>
      </div>
    </form>
  );
}
