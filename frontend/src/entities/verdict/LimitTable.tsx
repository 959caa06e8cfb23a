// Renders the limits of a budget beside the measured values, each with its verdict.
import { type LimitLike, limitText } from "@/entities/verdict/limits";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { Unknown, Value } from "@/ui/Value";
import { VerdictBadge } from "./VerdictBadge";

const COLUMNS: Columns<LimitLike> = [
  { header: "Limit", accessorFn: (row) => limitText(row).name },
  {
    header: "Measured",
    accessorFn: (row) => {
      const { measured } = limitText(row);
      return measured === null ? (
        <Unknown reason={row.reason_text ?? "not measured"} />
      ) : (
        <Value text={measured} {...(row.value === null ? {} : { exact: String(row.value) })} />
      );
    },
    meta: RIGHT,
  },
  { header: "Must be", accessorFn: (row) => limitText(row).limit, meta: RIGHT },
  {
    header: "Verdict",
    accessorFn: (row) => <VerdictBadge of={row} />,
    meta: { cell: ({ reason_text }) => ({ title: reason_text ?? undefined }) },
  },
];

export function LimitTable({ rows }: { rows: readonly LimitLike[] }) {
  return <DataTable label="Limits, as a table" plain columns={COLUMNS} rows={rows} />;
}
