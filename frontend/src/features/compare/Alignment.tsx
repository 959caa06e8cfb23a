// Controls that align subjects: operation, phase of campaigns, load of drives. Offers only values that all subjects
// have.
import { Group, Select } from "@mantine/core";
import type { Comparison } from "@/api/comparisons";
import { operationName } from "@/entities/run/words";
import type { CompareChange } from "./address";

const SEVERAL = 2;

export function Alignment({ comparison, onView }: { comparison: Comparison; onView: (change: CompareChange) => void }) {
  const loads = comparison.loads.map((load) => ({ value: String(load), label: `${load}x` }));
  return (
    <Group gap="8px 12px" className="no-print">
      <Choice
        label="Operation"
        value={comparison.operation}
        data={comparison.operations.map((operation) => ({ value: operation, label: operationName(operation) }))}
        onChange={(operation) => onView({ operation })}
      />
      <Choice
        label="Phase"
        value={comparison.phase}
        data={comparison.phases.map((phase) => ({ value: phase, label: phase }))}
        onChange={(phase) => onView({ phase })}
      />
      <Choice
        label="Load"
        value={comparison.load === null ? null : String(comparison.load)}
        data={loads}
        onChange={(load) => onView({ load: load === undefined ? undefined : Number(load) })}
      />
    </Group>
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
      w={200}
      label={label}
      size="xs"
      data={data}
      value={value}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}
