// Choice of the judged subject: a stored run with operation and clock, or a pasted distribution.
import { Button, SegmentedControl, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { runDetailQuery, runListQuery } from "@/api/queries";
import type { RunDetail } from "@/api/types";
import { DEFAULTS } from "@/entities/question/question";
import { clockMeaning, clockName, operationName, workloadName } from "@/entities/run/words";
import { isId } from "@/lib/ids";
import { PASTED, type SlaChange, type SlaSearch, shownText } from "./address";
import { Paste } from "./Paste";
import type { PastedDistribution } from "./pastedDistribution";

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
  const [isOpened, setAsked] = useState(noRuns);
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

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** Returns the default clock of an operation: response time if measured; undefined without any clock. */
function defaultClock(run: RunDetail, operation: string): string | undefined {
  const clocks = run.series.filter((series) => series.operation === operation).map((series) => series.clock);
  return ["response", "service", "operation", "queue"].find((clock) => clocks.some((candidate) => candidate === clock));
}

type SeriesChoiceProps = { runId: string; search: SlaSearch; onChoose: SubjectPickerProps["onChoose"] };

function SeriesChoice({ runId, search, onChoose }: SeriesChoiceProps) {
  const run = useQuery(runDetailQuery(runId)).data;
  if (run === undefined || run.series.length === 0) return null;
  const operations = unique(run.series.map((series) => series.operation));
  const operation = shownText(search, "op", DEFAULTS.op);
  const clocks = unique(run.series.filter((series) => series.operation === operation).map((series) => series.clock));
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
