// Fields of a search for the highest load at which an objective holds.
import { Checkbox, NumberInput, TextInput } from "@mantine/core";
import type { ChangeEvent } from "react";
import { NO_SEARCH, type SearchDraft, type SearchSubject } from "./search";

const BELOW = ["label", "input", "description", "error"] as const;

type SearchFieldsProps = {
  subject: SearchSubject;
  draft: SearchDraft | null;
  onChange: (draft: SearchDraft | null) => void;
};

/** Edits the draft of a search; a null draft means that the campaign measures the phases of its plan. */
export function SearchFields({ subject, draft, onChange }: SearchFieldsProps) {
  const below = { inputWrapperOrder: [...BELOW] };
  const text = (name: "objective" | "phase") => ({
    ...below,
    maxLength: 200,
    value: draft?.[name] ?? "",
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      onChange(draft && { ...draft, [name]: event.currentTarget.value }),
  });
  const number = (name: "start_per_s" | "top_per_s" | "probe_s" | "probes") => ({
    ...below,
    value: draft?.[name] ?? "",
    onChange: (value: number | string) => onChange(draft && { ...draft, [name]: value }),
  });
  return (
    <>
      <Checkbox
        label="Find the highest load that holds"
        description="One phase of the plan, measured at rising loads until the objective fails"
        checked={draft !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? NO_SEARCH : null)}
      />
      {draft === null ? null : (
        <div className="fields">
          <TextInput label="Objective" description={`Such as ${subject.example}`} required {...text("objective")} />
          {subject.hasPhases ? (
            <TextInput label="Phase" description="Needed where the plan has several" {...text("phase")} />
          ) : null}
          <NumberInput
            label="First load, operations a second"
            description={subject.start}
            min={1}
            {...number("start_per_s")}
          />
          <NumberInput
            label="Highest load, operations a second"
            description={subject.top}
            min={1}
            {...number("top_per_s")}
          />
          <NumberInput
            label="Seconds of a probe"
            description="Longer probes make the bracket surer"
            min={2}
            max={3_600}
            allowDecimal={false}
            required
            {...number("probe_s")}
          />
          <NumberInput
            label="Probes after the first bracket"
            description="Each halves it; the last two measure its ends again"
            min={2}
            max={50}
            allowDecimal={false}
            required
            {...number("probes")}
          />
        </div>
      )}
    </>
  );
}
