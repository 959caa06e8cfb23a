// List of the compared subjects, each with its colour in all charts; the first is the base.
import { Button, Group } from "@mantine/core";
import type { ComparedSubject, Comparison } from "@/api/comparisons";
import type { CounterFigure } from "@/entities/drive/counters";
import { DriveLink, PublicationLink, RunLink } from "@/ui/links";
import { colorOf } from "./curves";

type SubjectsProps = {
  comparison: Comparison;
  subjects: readonly string[];
  onChange: (next: readonly string[]) => void;
};

export function Subjects({ comparison, subjects, onChange }: SubjectsProps) {
  const notes = new Set(comparison.subjects.map(({ note }) => note));
  // A note that all subjects share is printed once.
  const common = notes.size === 1 ? comparison.subjects[0]?.note : null;
  return (
    <div className="stack-12">
      <ol className="tiles plain-list" aria-label="Subjects">
        {comparison.subjects.map((subject, index) => (
          <li key={subject.subject} style={{ display: "flex", gap: 12 }}>
            <span
              className="dot"
              style={{ flex: "none", width: 12, height: 12, marginTop: 6, background: `var(${colorOf(index)})` }}
              aria-hidden="true"
            />
            <div>
              <p className="strong wrap-anywhere">
                <span className="dim">{index === 0 ? "Base: " : "New: "}</span>
                <SubjectName subject={subject} />
              </p>
              {subject.test_text == null ? null : (
                <>
                  <p>{rangeText(subject)}</p>
                  <p className="dim">Compared by its test: {subject.test_text}.</p>
                </>
              )}
              <CounterFigures figures={subject.counters ?? []} />
              {subject.note == null || common != null ? null : <p className="dim">{subject.note}</p>}
              <Group gap="8px 12px" className="no-print">
                {index === 0 ? null : (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    onClick={() => onChange([subject.subject, ...subjects.filter((name) => name !== subject.subject)])}
                  >
                    Make base
                  </Button>
                )}
                <RemoveButton subject={subject} subjects={subjects} onChange={onChange} />
              </Group>
            </div>
          </li>
        ))}
      </ol>
      {common == null ? null : <p className="dim">{common}</p>}
    </div>
  );
}

type RemoveButtonProps = Omit<SubjectsProps, "comparison"> & { subject: { subject: string; label: string } };

export const RemoveButton = ({ subject: { subject, label }, subjects, onChange }: RemoveButtonProps) => (
  <Button
    size="compact-xs"
    variant="subtle"
    color="gray"
    aria-label={`Remove ${label}`}
    onClick={() => onChange(subjects.filter((name) => name !== subject))}
  >
    Remove
  </Button>
);

/** Lists figures from the drives' own counters; null without figures. */
function CounterFigures({ figures }: { figures: readonly CounterFigure[] }) {
  if (figures.length === 0) return null;
  const parts = figures.map(({ label, text }) => `${label[0]?.toLowerCase() ?? ""}${label.slice(1)} ${text}`);
  return <p className="dim">By its drive’s own counters: {parts.join("; ")}.</p>;
}

/** Returns the range of loads as text: `Holds 30x, fails 60x.` */
function rangeText({ holds_load: holds, fails_load: fails }: ComparedSubject): string {
  const held = holds == null ? "No load is proven" : `Holds ${holds}x`;
  return `${held}${fails == null ? ", none failed above" : `, fails ${fails}x`}.`;
}

export function SubjectName({ subject }: { subject: ComparedSubject }) {
  if (subject.drive_slug != null) {
    return <DriveLink slug={subject.drive_slug}>{subject.label}</DriveLink>;
  }
  if (subject.run_id != null) {
    return <RunLink id={subject.run_id}>{subject.label}</RunLink>;
  }
  if (subject.publication_slug != null) {
    return <PublicationLink slug={subject.publication_slug}>{subject.label}</PublicationLink>;
  }
  return <>{subject.label}</>;
}
