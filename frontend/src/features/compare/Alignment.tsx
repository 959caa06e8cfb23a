// How subjects are aligned: the operation, the phase of campaigns, the load of drives. Only what all have is offered.
import { Select } from "@mantine/core";
import type { Comparison } from "@/api/comparisons";
import { operationName } from "@/entities/run/words";
import type { CompareChange } from "./address";
import classes from "./ComparePage.module.css";

const SEVERAL = 2;

export function Alignment({ found, onView }: { found: Comparison; onView: (change: CompareChange) => void }) {
  const loads = found.loads.map((load) => ({ value: String(load), label: `${load}x` }));
  return (
    <div className={`${classes["actions"]} no-print`}>
      <Choice
        label="Operation"
        value={found.operation}
        data={found.operations.map((operation) => ({ value: operation, label: operationName(operation) }))}
        onChange={(operation) => onView({ operation })}
      />
      <Choice
        label="Phase"
        value={found.phase}
        data={found.phases.map((phase) => ({ value: phase, label: phase }))}
        onChange={(phase) => onView({ phase })}
      />
      <Choice
        label="Load"
        value={found.load === null ? null : String(found.load)}
        data={loads}
        onChange={(load) => onView({ load: load === undefined ? undefined : Number(load) })}
      />
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string | null;
  data: { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
};

function Choice({ label, value, data, onChange }: ChoiceProps) {
  if (data.length < SEVERAL) return null;
  return (
    <Select
      className={classes["operation"]}
      label={label}
      size="xs"
      data={data}
      value={value}
      allowDeselect={false}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
