// Fields of a search for the highest load at which an objective holds, and the request that they make.
import { Checkbox, type InputWrapperProps, NumberInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { CampaignPlan } from "@/api/campaigns";

/** Number fields hold a string while they are empty. */
export const NO_SEARCH = {
  objective: "",
  phase: "",
  start_per_s: "" as number | string,
  top_per_s: "" as number | string,
  probe_s: 20 as number | string,
  probes: 8 as number | string,
};
export type SearchDraft = typeof NO_SEARCH;

/** Explanations of the search fields, which depend on the measured target. */
export type SearchSubject = {
  readonly example: string;
  readonly hasPhases: boolean;
  readonly start: string;
  readonly top: string;
};

export const OF_SERVERS: SearchSubject = {
  example: "p99 get < 5ms",
  hasPhases: true,
  start: "Else the rate of the plan",
  top: "Of all agents together; no load is higher",
};

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

function numberOr<T>(value: number | string, otherwise: T): number | T {
  return typeof value === "number" ? value : otherwise;
}

/** Returns the search in the form that the API accepts; null for a null draft. */
export function searchOf(draft: SearchDraft | null): NonNullable<CampaignPlan["search"]> | null {
  if (draft === null) return null;
  return {
    objective: draft.objective.trim(),
    phase: draft.phase.trim() === "" ? null : draft.phase.trim(),
    start_per_s: numberOr(draft.start_per_s, null),
    top_per_s: numberOr(draft.top_per_s, null),
    precision: 0.05,
    probes: numberOr(draft.probes, 8),
    most_s: 1_800,
    probe_s: numberOr(draft.probe_s, 20),
    warm_up_s: 3,
  };
}
