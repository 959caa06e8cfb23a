// CSV export of a table: printed text, value with unit, rounding bounds, and all conditions.
import type { Cell } from "@/lib/csv";
import type { TableLike } from "./claimTable";

/** Names of the comparison signs: a spreadsheet would read the signs as formulas. */
const COMPARISONS: Record<string, string> = {
  "=": "equal",
  "<": "less",
  "<=": "at_most",
  ">": "more",
  ">=": "at_least",
  "~": "about",
};

export function claimCsv(table: TableLike): { header: string[]; rows: Cell[][] } {
  const conditions = [
    ...new Set(table.rows.flatMap((row) => row.claims.flatMap((claim) => Object.keys(claim.conditions)))),
  ];
  return {
    header: [
      "row",
      "label",
      "subject",
      "claim",
      "quantity",
      "statistic",
      "threshold_ns",
      "operation",
      "workload",
      "metric_class",
      "config",
      "load_multiple",
      "load_reads_per_s",
      "load_writes_per_s",
      "load_as_printed",
      "as_printed",
      "comparison",
      "value",
      "lower",
      "upper",
      "unit",
      "test_date_as_printed",
      ...conditions,
    ],
    rows: table.rows.flatMap((row) =>
      row.claims.map((claim): Cell[] => [
        row.row,
        row.label,
        claim.subject,
        claim.key,
        claim.quantity,
        claim.statistic,
        claim.threshold_ns,
        claim.operation,
        claim.workload,
        claim.metric_class,
        claim.config,
        claim.load?.multiple ?? null,
        claim.load?.reads_per_s ?? null,
        claim.load?.writes_per_s ?? null,
        claim.load?.as_printed ?? null,
        claim.printed.as_printed ?? null,
        COMPARISONS[claim.printed.comparison ?? "="] ?? "equal",
        claim.printed.value,
        claim.printed.lower,
        claim.printed.upper,
        claim.printed.unit,
        row.test_date_as_printed,
        ...conditions.map((key) => plainCell(claim.conditions[key])),
      ]),
    ),
  };
}

function plainCell(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string") return value;
  return JSON.stringify(value);
}
