// Fields of a search for the highest load at which an objective holds.
import { Checkbox, NumberInput, TextInput } from "@mantine/core";
import classes from "./campaigns.module.css";
import { NO_SEARCH, type SearchDraft, type SearchSubject } from "./search";

const BELOW = ["label", "input", "description", "error"] as const;

/** Edits the draft of a search; a null draft means that the campaign measures the phases of its plan. */
export function SearchFields({
  subject,
  draft,
  onChange,
}: {
  subject: SearchSubject;
  draft: SearchDraft | null;
  onChange: (draft: SearchDraft | null) => void;
}) {
  return (
    <>
      <Checkbox
        label="Find the highest load that holds"
        description="One phase of the plan, measured at rising loads until the objective fails"
        checked={draft !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? NO_SEARCH : null)}
      />
      {draft === null ? null : (
        <div className={classes["fields"]}>
          <TextInput
            label="Objective"
            description={`Such as ${subject.example}`}
            inputWrapperOrder={[...BELOW]}
            required
            maxLength={200}
            value={draft.objective}
            onChange={(event) => onChange({ ...draft, objective: event.currentTarget.value })}
          />
          {subject.hasPhases ? (
            <TextInput
              label="Phase"
              description="Needed where the plan has several"
              inputWrapperOrder={[...BELOW]}
              maxLength={200}
              value={draft.phase}
              onChange={(event) => onChange({ ...draft, phase: event.currentTarget.value })}
            />
          ) : null}
          <NumberInput
            label="First load, operations a second"
            description={subject.start}
            inputWrapperOrder={[...BELOW]}
            min={1}
            value={draft.start_per_s}
            onChange={(value) => onChange({ ...draft, start_per_s: value })}
          />
          <NumberInput
            label="Highest load, operations a second"
            description={subject.top}
            inputWrapperOrder={[...BELOW]}
            min={1}
            value={draft.top_per_s}
            onChange={(value) => onChange({ ...draft, top_per_s: value })}
          />
          <NumberInput
            label="Seconds of a probe"
            description="Longer probes make the bracket surer"
            inputWrapperOrder={[...BELOW]}
            min={2}
            max={3_600}
            allowDecimal={false}
            required
            value={draft.probe_s}
            onChange={(value) => onChange({ ...draft, probe_s: value })}
          />
          <NumberInput
            label="Probes after the first bracket"
            description="Each halves it; the last two measure its ends again"
            inputWrapperOrder={[...BELOW]}
            min={2}
            max={50}
            allowDecimal={false}
            required
            value={draft.probes}
            onChange={(value) => onChange({ ...draft, probes: value })}
          />
        </div>
      )}
    </>
  );
}
