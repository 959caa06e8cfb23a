// Fields of a search for the highest load at which an objective holds.
import { Checkbox, type InputWrapperProps, NumberInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { NO_SEARCH, type SearchDraft, type SearchSubject } from "./search";

const BELOW: Pick<InputWrapperProps, "inputWrapperOrder"> = {
  inputWrapperOrder: ["label", "input", "description", "error"],
};

type SearchFieldsProps<Values> = { subject: SearchSubject; form: UseFormReturnType<Values> };

/** Edits the search of a campaign; null means that the campaign measures the phases of its plan. */
export function SearchFields<Values extends { search: SearchDraft | null }>(props: SearchFieldsProps<Values>) {
  const { subject, form } = props;
  const field = (name: keyof SearchDraft) => ({ ...BELOW, ...form.getInputProps(`search.${name}`) });
  return (
    <>
      <Checkbox
        label="Find the highest load that holds"
        description="One phase of the plan, measured at rising loads until the objective fails"
        checked={form.values.search !== null}
        onChange={(event) => form.setFieldValue("search", (event.currentTarget.checked ? NO_SEARCH : null) as never)}
      />
      {form.values.search === null ? null : (
        <div className="fields">
          <TextInput
            label="Objective"
            description={`Such as ${subject.example}`}
            required
            withAsterisk
            maxLength={200}
            {...field("objective")}
          />
          {subject.hasPhases ? (
            <TextInput
              label="Phase"
              description="Needed where the plan has several"
              maxLength={200}
              {...field("phase")}
            />
          ) : null}
          <NumberInput
            label="First load, operations a second"
            description={subject.start}
            min={1}
            {...field("start_per_s")}
          />
          <NumberInput
            label="Highest load, operations a second"
            description={subject.top}
            min={1}
            {...field("top_per_s")}
          />
          <NumberInput
            label="Seconds of a probe"
            description="Longer probes make the bracket surer"
            min={2}
            max={3_600}
            allowDecimal={false}
            required
            {...field("probe_s")}
          />
          <NumberInput
            label="Probes after the first bracket"
            description="Each halves it; the last two measure its ends again"
            min={2}
            max={50}
            allowDecimal={false}
            required
            {...field("probes")}
          />
        </div>
      )}
    </>
  );
}
