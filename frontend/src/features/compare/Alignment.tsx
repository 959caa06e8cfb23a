// Controls that align subjects: operation, phase of campaigns, load of drives. Offers only values that all subjects
// have.
import { Group, Select } from "@mantine/core";
import type { Comparison } from "@/api/comparisons";
import { operationName } from "@/entities/run/words";
import type { CompareChange } from "./address";

export function Alignment({ comparison, onView }: { comparison: Comparison; onView: (change: CompareChange) => void }) {
  const { operation, operations, phase, phases, load, loads } = comparison;
  const choices = [
    {
      label: "Operation",
      value: operation,
      data: operations.map((value) => ({ value, label: operationName(value) })),
      onChange: (next: string | null) => onView({ operation: next ?? undefined }),
    },
    {
      label: "Phase",
      value: phase,
      data: phases,
      onChange: (next: string | null) => onView({ phase: next ?? undefined }),
    },
    {
      label: "Load",
      value: load === null ? null : String(load),
      data: loads.map((value) => ({ value: String(value), label: `${value}x` })),
      onChange: (next: string | null) => onView({ load: next === null ? undefined : Number(next) }),
    },
  ];
  return (
    <Group gap="8px 12px" className="no-print">
      {choices.map((choice) =>
        choice.data.length < 2 ? null : <Select key={choice.label} w={200} size="xs" {...choice} />,
      )}
    </Group>
  );
}
