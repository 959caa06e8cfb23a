import type { RowData } from "@tanstack/react-table";
import type { ComponentProps } from "react";
import { DataTable } from "@/ui/DataTable";
import { Section } from "@/ui/Section";

type PartProps<Row extends RowData> = Omit<ComponentProps<typeof DataTable<Row>>, "label" | "plain" | "maxHeight"> & {
  title: string;
  /** Sentence shown in place of the table; null shows the table. */
  empty?: string | null;
};

/** Renders a table with its heading, or the sentence that explains why there is none. */
export function Part<Row extends RowData>({ title, empty = null, ...table }: PartProps<Row>) {
  return (
    <Section title={title} className="stack-8">
      {empty === null ? (
        <DataTable label={`${title}, as a table`} plain maxHeight={420} {...table} />
      ) : (
        <p className="dim">{empty}</p>
      )}
    </Section>
  );
}
