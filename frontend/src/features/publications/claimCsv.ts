// CSV export of a table: printed text, value with unit, rounding bounds, and all conditions.
import type { Cell, CsvTable } from "@/lib/csv";
import type { ClaimLike, RowLike, TableLike } from "./claimTable";

/** Names of the comparison signs: a spreadsheet would read the signs as formulas. */
const COMPARISONS: Record<string, string> = {
  "=": "equal",
  "<": "less",
  "<=": "at_most",
  ">": "more",
  ">=": "at_least",
  "~": "about",
};

const COLUMNS: readonly (readonly [name: string, value: (row: RowLike, claim: ClaimLike) => Cell])[] = [
  ["row", (row) => row.row],
  ["label", (row) => row.label],
  ["subject", (_, claim) => claim.subject],
  ["claim", (_, claim) => claim.key],
  ["quantity", (_, claim) => claim.quantity],
  ["statistic", (_, claim) => claim.statistic],
  ["threshold_ns", (_, claim) => claim.threshold_ns],
  ["operation", (_, claim) => claim.operation],
  ["workload", (_, claim) => claim.workload],
  ["metric_class", (_, claim) => claim.metric_class],
  ["config", (_, claim) => claim.config],
  ["load_multiple", (_, claim) => claim.load?.multiple ?? null],
  ["load_reads_per_s", (_, claim) => claim.load?.reads_per_s ?? null],
  ["load_writes_per_s", (_, claim) => claim.load?.writes_per_s ?? null],
  ["load_as_printed", (_, claim) => claim.load?.as_printed ?? null],
  ["as_printed", (_, claim) => claim.printed.as_printed ?? null],
  ["comparison", (_, claim) => COMPARISONS[claim.printed.comparison ?? "="] ?? "equal"],
  ["value", (_, claim) => claim.printed.value],
  ["lower", (_, claim) => claim.printed.lower],
  ["upper", (_, claim) => claim.printed.upper],
  ["unit", (_, claim) => claim.printed.unit],
  ["test_date_as_printed", (row) => row.test_date_as_printed],
];

export function claimCsv({ rows }: TableLike): CsvTable {
  const lines = rows.flatMap((row) => row.claims.map((claim) => ({ row, claim })));
  const conditions = [...new Set(lines.flatMap(({ claim }) => Object.keys(claim.conditions)))];
  return {
    header: [...COLUMNS.map(([name]) => name), ...conditions],
    rows: lines.map(({ row, claim }) => [
      ...COLUMNS.map(([, value]) => value(row, claim)),
      ...conditions.map((key) => plainCell(claim.conditions[key])),
    ]),
  };
}

function plainCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string") return value;
  return JSON.stringify(value);
}
