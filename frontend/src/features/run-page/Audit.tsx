// Audit of the run's numbers: contradictions with their figures, or the checks that passed.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { findingsQuery } from "@/api/queries";
import type { RunFinding } from "@/api/types";
import { SeverityBadge, severityPlace } from "@/entities/finding/Severity";
import { plural } from "@/lib/format";
import { printedText } from "@/lib/printed";
import { IconCheck, IconDot, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { Part } from "./Part";

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
      {passed.length === 0 ? null : <PassedChecks findings={passed} />}
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

function PassedChecks({ findings }: { findings: readonly RunFinding[] }) {
  const titles = new Map(findings.map(({ check, check_title }) => [check, check_title]));
  return (
    <Part title={`Checks that found nothing (${titles.size})`}>
      <ul className="stack-8 plain-list">
        {[...titles].map(([check, title]) => (
          <li key={check} className="with-icon">
            <IconCheck size={13} />
            <span>
              <strong>{title}</strong>{" "}
              <span className="dim">
                {findings.flatMap((finding) => (finding.check === check ? finding.statement : [])).join(" ")}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Returns the findings against the numbers, most severe first, those worth knowing, and those of passed checks. */
function auditParts(findings: readonly RunFinding[]) {
  const isPassed = ({ kind }: RunFinding): boolean => kind === "consistent";
  const isNote = ({ severity, kind }: RunFinding): boolean => severity === "info" || kind === "undecided";
  const rest = findings.filter((finding) => !isPassed(finding));
  return {
    against: rest
      .filter((finding) => !isNote(finding))
      .sort((a, b) => severityPlace(a.severity) - severityPlace(b.severity)),
    notes: rest.filter(isNote),
    passed: findings.filter(isPassed),
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
export function figureText({ value, unit, lower, upper, as_printed }: RunFinding["figures"][number]): string {
  if (as_printed !== null) return `“${as_printed}”`;
  if (value !== null) return shortText(value, unit);
  if (lower === null) return upper === null ? "—" : `≤ ${shortText(upper, unit)}`;
  return upper === null ? `≥ ${shortText(lower, unit)}` : `${shortText(lower, unit)} to ${shortText(upper, unit)}`;
}

function shortText(value: number, unit: string): string {
  const short =
    Number.isInteger(value) && unit === "count" ? value : Number(value.toPrecision(unit === "ratio" ? 4 : 3));
  return printedText({ value: short, lower: null, upper: null, unit });
}
