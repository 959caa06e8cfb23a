// Renders a select for the scheduling of a stage's operations.
import { Select } from "@mantine/core";
import { SCHEDULING_CHOICES } from "./scheduling";

type SchedulingSelectProps = {
  label?: string;
  className?: string | undefined;
  /** Value from the URL, which can be invalid. */
  value: string;
  problem: string | undefined;
  onChoose: (value: string | null) => void;
};

export function SchedulingSelect({ label = "Scheduling", className, value, problem, onChoose }: SchedulingSelectProps) {
  return (
    <Select
      aria-label={label}
      {...(className === undefined ? {} : { className })}
      data={SCHEDULING_CHOICES}
      value={SCHEDULING_CHOICES.some((choice) => choice.value === value) ? value : null}
      placeholder="choose"
      error={problem}
      onChange={onChoose}
    />
  );
}
