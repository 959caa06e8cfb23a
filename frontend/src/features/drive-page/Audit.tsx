// Findings of checks and readers about this drive's evidence, each with the tests that it concerns.
import type { DriveTest } from "@/api/drivePage";
import { loadText, metricName } from "@/entities/drive/ratings";
import { OriginTag, SeverityBadge, severityPlace } from "@/entities/finding/Severity";
import { joinParts } from "@/lib/format";
import { groupBy } from "@/lib/groupBy";
import { Section } from "@/ui/Section";
import { sourceOfTest } from "./facts";
import { SourceLink } from "./SourceLink";

type Found = { readonly finding: DriveTest["findings"][number]; readonly tests: readonly DriveTest[] };

/** Returns each distinct finding once, with its tests; the API repeats it per test. */
export function findingsOf(tests: readonly DriveTest[]): Found[] {
  const all = tests.flatMap((test) => test.findings.map((finding) => ({ finding, test })));
  const byKey = groupBy(all, ({ finding }) => `${finding.check} ${finding.statement}`);
  const listed = [...byKey.values()].map((same) => ({ finding: same[0].finding, tests: same.map(({ test }) => test) }));
  return listed.sort(
    (a, b) =>
      severityPlace(a.finding.severity) - severityPlace(b.finding.severity) ||
      a.finding.check.localeCompare(b.finding.check),
  );
}

/** Returns each distinct set of marks once: a printed row is one test per kind of time, with the same marks. */
function marksOf(tests: readonly DriveTest[]): { test: DriveTest; text: string }[] {
  const byText = groupBy(
    tests.filter(({ marks }) => marks.length > 0),
    ({ source, marks, mark_notes }) => [source.slug ?? source.run_id, source.row, ...marks, ...mark_notes].join(" "),
  );
  return [...byText].map(([text, [test]]) => ({ test, text }));
}

const MOST_TESTS = 8;

export function Audit({ tests }: { tests: readonly DriveTest[] }) {
  const findings = findingsOf(tests);
  const marked = marksOf(tests);
  return (
    <Section title="Audit of the evidence" id="audit" className="stack-8 anchored panel">
      {marked.length === 0 ? null : (
        <ul className="stack-8 measure plain-list">
          {marked.map(({ test, text }) => (
            <li key={text}>
              <strong>{test.marks.join(", ")}</strong>: <SourceLink source={sourceOfTest(test.source)} />, at{" "}
              {loadText(test.load)}
              {test.mark_notes.length === 0 ? "" : `. ${test.mark_notes.join("; ")}`}
            </li>
          ))}
        </ul>
      )}
      {findings.length === 0 ? (
        <p>The checks that could be made found nothing against the tests of this drive.</p>
      ) : (
        <ul className="plain-list ruled">
          {findings.map(({ finding, tests: concerned }) => (
            <li key={`${finding.check} ${finding.statement}`} className="stack-4">
              <div className="row">
                <SeverityBadge severity={finding.severity} />
                <OriginTag origin={finding.origin} />
                <span className="dim">{finding.check}</span>
              </div>
              <p className="measure">{finding.statement}</p>
              <p className="measure dim">
                Concerns{" "}
                {concerned.slice(0, MOST_TESTS).map((test, index) => (
                  <span key={test.test_id}>
                    {index === 0 ? "" : ", "}
                    <SourceLink source={sourceOfTest(test.source)}>
                      {joinParts([test.source.row, loadText(test.load), metricName(test.metric_class)], " ")}
                    </SourceLink>
                  </span>
                ))}
                {concerned.length > MOST_TESTS ? ` and ${concerned.length - MOST_TESTS} more` : ""}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
