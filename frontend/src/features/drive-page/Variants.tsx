// Tested drives of one model, capacity and firmware that report different properties, possibly with other flash.
import type { DrivePage } from "@/api/drivePage";
import { formatCapacity } from "@/entities/drive/ratings";
import { plural } from "@/lib/format";
import { DataTable } from "@/ui/DataTable";
import { Section } from "@/ui/Section";
import { Unknown } from "@/ui/Value";

type Variant = DrivePage["variants"][number];

/** Shows the variants; null if no two drives differ. */
export function Variants({ variants }: { variants: readonly Variant[] }) {
  if (variants.length === 0) return null;
  const labels = [...new Set(variants.flatMap(({ traits }) => traits.map(({ label }) => label)))];
  return (
    <Section
      className="stack-12 panel"
      title={`Tested drives of one name differ: ${plural(variants.length, "variant")}`}
      note="Drives with the same firmware and capacity that state different things of themselves. They may hold other flash, so a test of one proves nothing of another."
    >
      <DataTable
        label="Variants of the drive"
        plain
        rows={variants}
        columns={[
          { header: "Variant", accessorFn: ({ number }) => <strong>{number}</strong> },
          {
            header: "Firmware",
            accessorFn: ({ firmware }) => firmware ?? <Unknown reason="the run does not state it" />,
          },
          {
            header: "Capacity",
            accessorFn: ({ capacity_bytes }) =>
              capacity_bytes === null ? <Unknown reason="not stated" /> : formatCapacity(capacity_bytes),
          },
          ...labels.map((label) => ({
            header: label,
            accessorFn: ({ traits }: Variant) =>
              traits.find((trait) => trait.label === label)?.text ?? <Unknown reason="these drives do not state it" />,
          })),
          {
            header: "Tested",
            accessorFn: ({ drives, tests }) => `${plural(drives, "drive")}, ${plural(tests, "test")}`,
          },
        ]}
      />
    </Section>
  );
}
