// Renders a transaction as a sentence of inputs: number of reads, scheduling, window, reserve and objective.
import { Group, Select } from "@mantine/core";
import { plainOf } from "@/lib/search";
import { Field } from "@/ui/Field";
import type { ReaderQuestionChange, TransactionKey, TransactionSearch } from "./address";
import { TRANSACTION_DEFAULTS } from "./question";
import { needsFanOut, SCHEDULING_CHOICES } from "./scheduling";

type TransactionFieldsProps = {
  search: TransactionSearch;
  problems: { readonly [Key in TransactionKey]?: string };
  onEdit: (change: ReaderQuestionChange) => void;
  /** Applies a change at once, without the pause of typing. */
  onChoose: (change: ReaderQuestionChange) => void;
};

export function TransactionFields({ search, problems, onEdit, onChoose }: TransactionFieldsProps) {
  const textOf = (key: TransactionKey): string => String(search[key] ?? TRANSACTION_DEFAULTS[key]);
  const scheduling = textOf("sched");
  const field = (key: Exclude<TransactionKey, "sched">) => ({
    text: textOf(key),
    onText: (typed: string) => onEdit({ [key]: plainOf(typed) }),
    problem: problems[key],
  });
  return (
    <Group align="flex-start" gap="8px 12px">
      <Field {...field("reads")} label="How many reads" numeric width={6} before="My transaction:" after="reads," />
      <SchedulingSelect
        value={scheduling}
        problem={problems.sched}
        onChoose={(value) =>
          onChoose({
            reads: search.reads ?? plainOf(TRANSACTION_DEFAULTS.reads),
            sched: value === null || value === TRANSACTION_DEFAULTS.sched ? undefined : value,
            fan: value !== null && needsFanOut(value) ? (search.fan ?? plainOf(TRANSACTION_DEFAULTS.fan)) : undefined,
          })
        }
      />
      {needsFanOut(scheduling) ? (
        <Field
          {...field("fan")}
          label="How many at a time"
          numeric
          width={4}
          after={scheduling === "waves" ? "in each wave," : "at a time,"}
        />
      ) : null}
      <Field {...field("window")} label="Window" width={7} before="inside" after="," />
      <Field {...field("reserve")} label="Time kept for scoring" width={7} before="keep" after="for scoring," />
      <Field
        {...field("objective")}
        label="Objective, per cent of transactions"
        numeric
        width={6}
        before="for"
        after="% of them."
      />
    </Group>
  );
}

type SchedulingSelectProps = {
  label?: string;
  /** Value from the URL, which can be invalid. */
  value: string;
  problem: string | undefined;
  onChoose: (value: string | null) => void;
};

export function SchedulingSelect({ label = "Scheduling", value, problem, onChoose }: SchedulingSelectProps) {
  return (
    <Select
      aria-label={label}
      data={SCHEDULING_CHOICES}
      value={SCHEDULING_CHOICES.some((choice) => choice.value === value) ? value : null}
      placeholder="choose"
      error={problem}
      onChange={onChoose}
    />
  );
}
