// Run over time: steady state, change points, late degradation, worst hour, and consumption of error budgets.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { courseQuery } from "@/api/queries";
import type { OperationCourse, RunDetail, ThresholdCourse } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { clockName, type Line, operationName } from "@/entities/run/words";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { DataTable } from "@/ui/DataTable";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import { limitName, operationLines, thresholdLines, thresholdName, unassessedReasons } from "./courseWords";
import { budgetSpec } from "./specs/budgetSpec";

/** Returns the chosen operation, otherwise the first with limits, otherwise the first; undefined without any. */
function courseOf(operations: readonly OperationCourse[], operation: string | undefined): OperationCourse | undefined {
  return (
    operations.find((candidate) => candidate.operation === operation) ??
    operations.find((candidate) => candidate.thresholds.length > 0) ??
    operations[0]
  );
}

export function OverTime({ run, operation, live }: { run: RunDetail; operation: string | undefined; live: boolean }) {
  const course = useQuery(courseQuery(run.run_id));
  const shown = courseOf(course.data?.operations ?? [], operation);
  return (
    <Section
      title="Over time"
      note={
        shown === undefined
          ? null
          : `${operationName(shown.operation)}, ${clockName(shown.clock)}${course.data?.provisional ? "; so far" : ""}. Shares count misses as over.`
      }
      className="stack-12 panel"
    >
      {course.data === undefined ? (
        <QueryView query={course} what="the course of the run" lines={3} height={24} />
      ) : shown === undefined ? (
        <p>Nothing was measured that has a course over time.</p>
      ) : shown.reason !== null ? (
        <p>Not assessed: {shown.reason}.</p>
      ) : (
        <CourseSummary course={shown} run={run} live={live} />
      )}
    </Section>
  );
}

function CourseSummary({ course, run, live }: { course: OperationCourse; run: RunDetail; live: boolean }) {
  const lines = operationLines(course);
  const byThreshold = course.thresholds.map((threshold) => ({ threshold, lines: thresholdLines(threshold) }));
  const reasons = unassessedReasons([...lines, ...byThreshold.flatMap((group) => group.lines)]);
  const plannedNs = run.planned_duration_ns;
  const spec = useMemo(() => budgetSpec(course, { plannedNs, live }), [course, plannedNs, live]);
  return (
    <>
      {lines.every(({ value }) => value.text === null) ? null : <AssessedLines lines={lines} />}
      {byThreshold.length === 0 ? null : <ThresholdTable columns={byThreshold} />}
      {reasons.length === 0 ? null : (
        <div>
          <p className="dim">Not assessed, and why:</p>
          <ul className="bullets">
            {reasons.map(({ reason, names }) => (
              <li key={reason}>
                {names.join(", ")}: <span className="dim">{reason}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {spec === null ? null : <ChartFigure spec={spec} height={200} fileSuffix={run.run_id.slice(-8)} />}
    </>
  );
}

const AssessedLines = ({ lines }: { lines: readonly Line[] }) => (
  <Facts>
    {lines.map(({ name, value }) =>
      value.text === null ? null : (
        <Fact key={name} name={name}>
          {value.text}
        </Fact>
      ),
    )}
  </Facts>
);

type Column = { threshold: ThresholdCourse; lines: readonly Line[] };

function ThresholdTable({ columns }: { columns: readonly Column[] }) {
  // Rows that were assessed at no threshold are covered by the list of reasons below.
  const rows = (columns[0]?.lines ?? [])
    .map((line, index) => ({ name: line.name, cells: columns.map((column) => column.lines[index]) }))
    .filter((row) => row.cells.some((cell) => cell?.value.text != null));
  if (rows.length === 0) return null;
  return (
    <DataTable
      label="Course of the shares, as a table"
      plain="cards"
      rows={rows}
      columns={[
        { header: "Share", accessorKey: "name", meta: { isRowHeader: true } },
        ...columns.map(({ threshold }, index) => ({
          header: `${thresholdName(threshold)} · ${limitName(threshold)}`,
          accessorFn: ({ cells }: (typeof rows)[number]) =>
            cells[index]?.value.text ?? <Unknown reason={cells[index]?.value.reason ?? "not known"} />,
        })),
      ]}
    />
  );
}
