// Audit of the run's numbers: contradictions with their figures, or the checks that passed.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { findingsQuery } from "@/api/queries";
import type { RunFinding } from "@/api/types";
import { SeverityBadge } from "@/entities/finding/Severity";
import { IconCheck, IconDot, IconWarning } from "@/ui/icons";
import { Section } from "@/ui/Section";
import { auditParts, auditSentence, type Checked, figureText } from "./auditWords";

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
