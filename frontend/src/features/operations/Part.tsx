import type { RowData } from "@tanstack/react-table";
import { type ComponentProps, useId } from "react";
import { DataTable } from "@/ui/DataTable";

type PartProps<Row extends RowData> = Omit<ComponentProps<typeof DataTable<Row>>, "label" | "plain" | "maxHeight"> & {
  title: string;
  /** Sentence shown in place of the table; null shows the table. */
  empty?: string | null;
};

/** Renders a table with its heading, or the sentence that explains why there is none. */
export function Part<Row extends RowData>({ title, empty = null, ...table }: PartProps<Row>) {
  const id = useId();
  return (
    <section className="stack-8" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {empty === null ? (
        <DataTable label={`${title}, as a table`} plain maxHeight={420} {...table} />
      ) : (
        <p className="dim">{empty}</p>
      )}
    </section>
  );
}
