// Findings about a document: order, summary, concerned rows, and figures as a table.

import type { Schemas } from "@/api/types";
import { SEVERITY_ORDER, severityPlace } from "@/entities/finding/Severity";
import { formatPercent, plural } from "@/lib/format";
import { type PrintedNumber, printedText } from "@/lib/printed";
import type { RowLike, TableLike } from "./claimTable";

export type FigureLike = PrintedNumber & { readonly label: string };

export type FindingLike = Schemas["FindingOut"];

/** Returns the findings sorted by severity, computed findings before readers' notes. */
export const sortFindings = (findings: readonly FindingLike[]): FindingLike[] =>
  [...findings].sort(
    (a, b) =>
      severityPlace(a.severity) - severityPlace(b.severity) ||
      Number(a.origin !== "computed") - Number(b.origin !== "computed") ||
      checkNumber(a) - checkNumber(b),
  );

const checkNumber = ({ check }: FindingLike): number => Number(/\d+/.exec(check)?.[0] ?? 99);

export const countSeverities = (findings: readonly { severity: string }[]) =>
  SEVERITY_ORDER.map((severity) => ({
    severity,
    count: findings.filter((finding) => finding.severity === severity).length,
  })).filter(({ count }) => count > 0);

/** Returns the summary of the audit in a sentence, without the full stop. */
export function auditSentence(findings: readonly FindingLike[]): string {
  if (findings.length === 0) return "No check of the product applies to its numbers";
  const grave = findings.filter((finding) => finding.severity === "high").length;
  const against = findings.filter((finding) => finding.severity !== "info").length;
  const passed = findings.length - against;
  const held = passed === 0 ? "" : `; ${plural(passed, "check")} found it consistent`;
  if (against === 0) return `No finding against its numbers${held}`;
  return `${plural(against, "finding")} against it, ${grave === 0 ? "none of them grave" : `${grave} of them grave`}${held}`;
}

/** Returns the rows with a claim of the finding, in document order. */
export function rowsOf(finding: Pick<FindingLike, "claim_keys">, tables: readonly TableLike[]): RowLike[] {
  const keys = new Set(finding.claim_keys);
  return tables.flatMap((table) => table.rows).filter((row) => row.claims.some((claim) => keys.has(claim.key)));
}

/** Returns the findings by row id. */
export function findingsByRow(
  findings: readonly FindingLike[],
  tables: readonly TableLike[],
): Map<string, FindingLike[]> {
  const byRow = new Map<string, FindingLike[]>();
  for (const finding of findings)
    for (const { row } of rowsOf(finding, tables)) byRow.set(row, [...(byRow.get(row) ?? []), finding]);
  return byRow;
}

const SPLIT = /^(.*), ([^,]+)$/;
const MOST_COLUMNS = 4;

/** Returns figures as a table: labels such as `A, new` and `A, old` become one row with two columns, others a list,
 * which has no column labels. */
export function figureTable(figures: readonly FigureLike[]) {
  const parts = figures.map((figure) => SPLIT.exec(figure.label));
  const columns = [...new Set(parts.map((part) => part?.[2] ?? ""))];
  const labels = [...new Set(parts.map((part) => part?.[1] ?? ""))];
  const isGrid =
    parts.every((part) => part !== null) &&
    columns.length > 1 &&
    columns.length <= MOST_COLUMNS &&
    labels.length > 1 &&
    figures.length === columns.length * labels.length;
  if (!isGrid) return { columns: [], rows: figures.map((figure) => ({ label: figure.label, cells: [figure] })) };
  return {
    columns,
    rows: labels.map((label) => ({
      label,
      cells: columns.map((column) => figures.find((figure) => figure.label === `${label}, ${column}`) ?? null),
    })),
  };
}

/** Returns a computed figure as text: shares with four digits, so that truncation is visible, others with three. */
export function figureText(figure: FigureLike): string {
  const { value, unit, lower, upper } = figure;
  if (value === null || value === 0) return printedText(figure);
  if (lower !== null && lower === upper && Number.isInteger(value)) return printedText(figure);
  return calculatedText(value, unit);
}

/** Share above which digits are counted from 100 %, so that 99.9996 % is not printed as 100 %. */
const NEAR_ALL = 0.99;

export function calculatedText(value: number, unit: string | null): string {
  if (unit === "ratio" && value > NEAR_ALL && value < 1) return formatPercent(value);
  const rounded = Number(value.toPrecision(unit === "ratio" ? 4 : 3));
  return printedText({ value: rounded, lower: null, upper: null, unit });
}
