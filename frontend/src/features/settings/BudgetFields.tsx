// Fields of a budget, by its kind. A rule set contains several budgets of the other kinds.
import { Button, Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { createFormContext } from "@mantine/form";
import type { ReactNode } from "react";
import { needsFanOut, SCHEDULING_CHOICES } from "@/entities/question/scheduling";
import { IconCross } from "@/ui/icons";
import {
  type BudgetTexts,
  CLOCK_NAMES,
  type CriterionTexts,
  inKind,
  KIND_NAMES,
  NEW_CERTIFICATION,
  NEW_STAGE,
  newCriterion,
  QUANTITY_NAMES,
} from "./budgetTexts";

export type Draft = { budget: BudgetTexts; applies_to: string[] };
type FieldsProps = { path: string; texts: BudgetTexts };

export const [DraftProvider, useDraftContext, useDraftForm] = createFormContext<Draft>();

const MOST_ROWS = 32;
const MOST_FLOORS = 16;

const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
const KINDS = choices(KIND_NAMES);
const CRITERION_KINDS = KINDS.filter(({ value }) => value !== "rule_set");
const CLOCKS = choices(CLOCK_NAMES);
const QUANTITIES = choices(QUANTITY_NAMES);

export function BudgetFields({ path, texts }: FieldsProps) {
  const form = useDraftContext();
  const field = (name: string) => form.getInputProps(`${path}.${name}`);
  const isCriterion = path !== "budget";
  return (
    <>
      <NativeSelect
        label="Kind"
        data={isCriterion ? CRITERION_KINDS : KINDS}
        value={texts.kind}
        onChange={({ currentTarget }) =>
          form.setFieldValue(path, inKind(texts, currentTarget.value as BudgetTexts["kind"]) as never)
        }
      />
      <TextInput
        label="Name"
        description={isCriterion ? null : "In addresses and exports: lower-case words with hyphens"}
        maxLength={100}
        readOnly={!isCriterion && texts.version > 1}
        {...field("name")}
      />
      <TextInput label="Title" maxLength={200} {...field("title")} />
      {isCriterion ? null : <TextInput label="Question that it answers" maxLength={1000} {...field("question")} />}
      <KindFields path={path} texts={texts} />
    </>
  );
}

function KindFields({ path, texts }: FieldsProps) {
  const form = useDraftContext();
  const field = (name: string) => form.getInputProps(`${path}.${name}`);
  switch (texts.kind) {
    case "transaction":
      return (
        <>
          <Stages path={`${path}.plan.stages`} stages={texts.plan.stages} />
          <div className="row" style={{ alignItems: "end" }}>
            <TextInput label="Window" {...field("window_ns")} />
            <TextInput label="Reserve for other work" {...field("reserve_ns")} />
            <TextInput label="Transactions in time, at least (%)" inputMode="decimal" {...field("objective_ratio")} />
          </div>
        </>
      );
    case "exceedance":
      return (
        <>
          <Operation path={path} />
          <Rows path={`${path}.limits`} name="limit" rows={texts.limits} first={{ threshold_ns: "", ratio: "" }}>
            {(row) => (
              <>
                <TextInput label="Fewer than (%)" inputMode="decimal" {...form.getInputProps(`${row}.ratio`)} />
                <TextInput label="take" placeholder="1 ms" {...form.getInputProps(`${row}.threshold_ns`)} />
              </>
            )}
          </Rows>
          <Certification path={`${path}.certification`} texts={texts.certification} />
        </>
      );
    case "percentile":
      return (
        <>
          <Operation path={path} />
          <Rows path={`${path}.limits`} name="percentile" rows={texts.limits} first={{ quantile: "", below_ns: "" }}>
            {(row) => (
              <>
                <TextInput label="Percentile (%)" inputMode="decimal" {...form.getInputProps(`${row}.quantile`)} />
                <TextInput label="less than" placeholder="8 ms" {...form.getInputProps(`${row}.below_ns`)} />
              </>
            )}
          </Rows>
        </>
      );
    case "throughput":
      return (
        <Rows
          path={`${path}.floors`}
          name="rate"
          rows={texts.floors}
          most={MOST_FLOORS}
          first={{ quantity: "operations_per_s", above: "" }}
        >
          {(row) => (
            <>
              <TextInput label="More than" inputMode="decimal" {...form.getInputProps(`${row}.above`)} />
              <NativeSelect label="of" data={QUANTITIES} {...form.getInputProps(`${row}.quantity`)} />
            </>
          )}
        </Rows>
      );
    case "completion":
      return <TextInput label="The run lasts, at least" {...field("duration_ns")} />;
    case "rule_set":
      return <Criteria path={`${path}.criteria`} name={texts.name} criteria={texts.criteria} />;
  }
}

function Operation({ path }: Omit<FieldsProps, "texts">) {
  const form = useDraftContext();
  return (
    <>
      <TextInput
        label="Operation"
        description="As the runs name it; * for each of them"
        maxLength={100}
        {...form.getInputProps(`${path}.operation`)}
      />
      <NativeSelect label="Measured as" data={CLOCKS} {...form.getInputProps(`${path}.clock`)} />
    </>
  );
}

type Stages = Extract<BudgetTexts, { kind: "transaction" }>["plan"]["stages"];

function Stages({ path, stages }: { path: string; stages: Stages }) {
  const form = useDraftContext();
  return (
    <Rows path={path} name="stage" rows={stages} first={NEW_STAGE}>
      {(row, index) => (
        <>
          <TextInput label="Operations" placeholder="10, or 1: 20 %; 4: 80 %" {...form.getInputProps(`${row}.count`)} />
          <TextInput label="Operation" maxLength={100} {...form.getInputProps(`${row}.operation`)} />
          <NativeSelect label="Order" data={SCHEDULING_CHOICES} {...form.getInputProps(`${row}.scheduling`)} />
          {needsFanOut(stages[index]?.scheduling ?? "") ? (
            <TextInput label="At a time" inputMode="numeric" {...form.getInputProps(`${row}.fan_out`)} />
          ) : null}
          <TextInput label="Overhead" {...form.getInputProps(`${row}.overhead_ns`)} />
        </>
      )}
    </Rows>
  );
}

function Certification({ path, texts }: { path: string; texts: typeof NEW_CERTIFICATION | null }) {
  const form = useDraftContext();
  return (
    <>
      <Checkbox
        label="Each slice of a longer time must keep the limits, too"
        checked={texts !== null}
        onChange={({ currentTarget }) =>
          form.setFieldValue(path, (currentTarget.checked ? NEW_CERTIFICATION : null) as never)
        }
      />
      {texts === null ? null : (
        <div className="row" style={{ alignItems: "end" }}>
          <TextInput label="For" {...form.getInputProps(`${path}.duration_ns`)} />
          <TextInput label="in slices of" {...form.getInputProps(`${path}.slice_ns`)} />
          <Checkbox
            label="The verdict depends on it"
            {...form.getInputProps(`${path}.decides`, { type: "checkbox" })}
          />
        </div>
      )}
    </>
  );
}

type CriteriaProps = { path: string; name: string; criteria: readonly CriterionTexts[] };

function Criteria({ path, name, criteria }: CriteriaProps) {
  return (
    <Rows path={path} name="rule" rows={criteria} first={newCriterion(`${name}-${criteria.length + 1}`)}>
      {(row, index) => {
        const texts = criteria[index];
        return texts === undefined ? null : (
          <div className="form">
            <BudgetFields path={row} texts={texts} />
          </div>
        );
      }}
    </Rows>
  );
}

type RowsProps = {
  path: string;
  /** Noun of a single row: `limit`. */
  name: string;
  rows: readonly unknown[];
  most?: number;
  first: object;
  children: (path: string, index: number) => ReactNode;
};

function Rows({ path, name, rows, most = MOST_ROWS, first, children }: RowsProps) {
  const form = useDraftContext();
  return (
    <>
      {rows.map((_, index) => (
        // Rows have no ids and keep their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a row
        <fieldset key={index}>
          <legend className="visually-hidden">{`${name} ${index + 1}`}</legend>
          <div className="row" style={{ alignItems: "end" }}>
            {children(`${path}.${index}`, index)}
            {rows.length === 1 ? null : (
              <Button
                variant="subtle"
                color="gray"
                aria-label={`Remove ${name} ${index + 1}`}
                onClick={() => form.removeListItem(path, index)}
              >
                <IconCross size={12} />
              </Button>
            )}
          </div>
        </fieldset>
      ))}
      <Button
        size="xs"
        className="self-start"
        disabled={rows.length >= most}
        onClick={() => form.insertListItem(path, first)}
      >
        Add a {name}
      </Button>
    </>
  );
}
