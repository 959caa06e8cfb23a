// Summary of a run's plausibility checks: contradictions, notes, and passed checks.
import type { RunFinding } from "@/api/types";
import { plural } from "@/lib/format";
import { printedText } from "@/lib/printed";

export type Checked = { readonly check: string; readonly title: string; readonly statements: readonly string[] };

export type AuditParts = {
  /** Errors and doubts about the numbers, the most severe first. */
  readonly against: readonly RunFinding[];
  /** Undecided checks, and facts worth knowing. */
  readonly notes: readonly RunFinding[];
  /** Distinct checks without a finding. */
  readonly passed: readonly Checked[];
};

const SEVERITIES_BY_RANK = ["high", "medium", "low", "info"];
const PASSED = "consistent";
const OPEN = "undecided";

export function auditParts(findings: readonly RunFinding[]): AuditParts {
  const rest = findings.filter((finding) => finding.kind !== PASSED);
  const isNote = (finding: RunFinding): boolean => finding.severity === "info" || finding.kind === OPEN;
  const passed = new Map<string, Checked>();
  for (const { check, check_title, statement, kind } of findings) {
    if (kind !== PASSED) continue;
    passed.set(check, { check, title: check_title, statements: [...(passed.get(check)?.statements ?? []), statement] });
  }
  return {
    against: rest
      .filter((finding) => !isNote(finding))
      .sort((a, b) => SEVERITIES_BY_RANK.indexOf(a.severity) - SEVERITIES_BY_RANK.indexOf(b.severity)),
    notes: rest.filter(isNote),
    passed: [...passed.values()],
  };
}

/** Returns the number of distinct checks. */
export const checkCount = (findings: readonly RunFinding[]): number => new Set(findings.map(({ check }) => check)).size;

export function auditSentence(findings: readonly RunFinding[]): string {
  const made = checkCount(findings);
  if (made === 0) return "The run states too little to check its numbers against each other";
  const { against } = auditParts(findings);
  const checks = plural(made, "check");
  return against.length === 0
    ? `No contradiction found in ${checks}`
    : `${plural(against.length, "finding")} against its numbers, in ${checks}`;
}

/** Returns a figure as printed, otherwise with three significant figures (shares: four). */
export function figureText(figure: RunFinding["figures"][number]): string {
  const { value, unit, lower, upper, as_printed } = figure;
  if (as_printed !== null) return `“${as_printed}”`;
  if (value === null) {
    if (lower === null && upper === null) return "—";
    if (lower === null) return `≤ ${shortText(upper, unit)}`;
    return upper === null ? `≥ ${shortText(lower, unit)}` : `${shortText(lower, unit)} to ${shortText(upper, unit)}`;
  }
  return shortText(value, unit);
}

function shortText(value: number | null, unit: string): string {
  if (value === null) return "—";
  const short =
    Number.isInteger(value) && unit === "count" ? value : Number(value.toPrecision(unit === "ratio" ? 4 : 3));
  return printedText({ value: short, lower: null, upper: null, unit });
}
