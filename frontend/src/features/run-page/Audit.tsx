// Audit of the run's numbers: contradictions with their figures, or the checks that passed.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { findingsQuery } from "@/api/queries";
import type { RunFinding } from "@/api/types";
import { SeverityBadge } from "@/entities/finding/Severity";
import { plural } from "@/lib/format";
import { printedText } from "@/lib/printed";
import { IconCheck, IconDot, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";

export function Audit({ runId }: { runId: string }) {
  const findings = useQuery(findingsQuery(runId));
  // The section is optional: the page does without it if it cannot be fetched.
  if (findings.data === undefined) return null;
  return <AuditSection findings={findings.data.audit_version === null ? null : findings.data.findings} />;
}

/** Shows the findings; `findings` null: the run is not audited yet. */
export function AuditSection({ findings }: { findings: readonly RunFinding[] | null }) {
  if (findings === null) {
    return (
      <Section title="Audit" className="stack-8">
        <p className="card result">The run has not been audited yet.</p>
      </Section>
    );
  }
  const { against, notes, passed } = auditParts(findings);
  return (
    <Section title="Audit" className="stack-8">
      <p className="card result" data-clear={against.length === 0 || undefined}>
        {findings.length === 0 ? (
          <IconDot size={16} />
        ) : against.length === 0 ? (
          <IconCheck size={16} />
        ) : (
          <IconWarning size={16} />
        )}
        <strong>{auditSentence(findings)}.</strong>
      </p>
      {against.length === 0 ? null : (
        <ul className="stack-8 plain-list">
          {against.map((finding) => (
            <FindingItem key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
      {notes.length === 0 ? null : (
        <ul className="stack-8 plain-list" style={{ padding: "0 16px" }} aria-label="Worth knowing">
          {notes.map((note) => (
            <li key={note.id} className="with-icon">
              <IconDot size={13} />
              <span>
                <strong>{note.kind === "undecided" ? "Undecided" : "Note"}:</strong> {note.statement}
              </span>
            </li>
          ))}
        </ul>
      )}
      {passed.length === 0 ? null : <PassedChecks checks={passed} />}
    </Section>
  );
}

function FindingItem({ finding }: { finding: RunFinding }) {
  return (
    <li className="card stack-4" style={{ padding: "12px 16px" }} data-severity={finding.severity}>
      <Group component="p" gap="4px 8px">
        <SeverityBadge severity={finding.severity} />
        <span className="dim">
          {finding.check_title}: {finding.kind}
        </span>
      </Group>
      <p>{finding.statement}</p>
      {finding.figures.length === 0 ? null : (
        <dl className="wrap">
          {finding.figures.map((figure) => (
            <div key={figure.label}>
              <dt className="smaller">{figure.label}</dt>
              <dd className="num">{figureText(figure)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function PassedChecks({ checks }: { checks: readonly Checked[] }) {
  return (
    <details className="card">
      <summary className="strong" style={{ padding: "8px 16px" }}>
        Checks that found nothing ({checks.length})
      </summary>
      <ul className="stack-8 plain-list" style={{ padding: "0 16px 16px" }}>
        {checks.map(({ check, title, statements }) => (
          <li key={check} className="with-icon">
            <IconCheck size={13} />
            <span>
              <strong>{title}</strong> <span className="dim">{statements.join(" ")}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Checked = { readonly check: string; readonly title: string; readonly statements: readonly string[] };

type AuditParts = {
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

function auditParts(findings: readonly RunFinding[]): AuditParts {
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
