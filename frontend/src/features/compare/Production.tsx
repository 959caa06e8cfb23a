// Tested drives and servers that would have carried a recorded production load: answer, load, and a verdict per test.

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { carryQuery, carryReportAddress } from "@/api/sla";
import type { Schemas } from "@/api/types";
import type { ReaderQuestionSearch } from "@/entities/question/address";
import { readReaderQuestion } from "@/entities/question/readerQuestion";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { formatCount, sentence } from "@/lib/format";
import { ACTIONS, type Columns, DataTable, ROW_HEADER } from "@/ui/DataTable";
import { Field } from "@/ui/Field";
import { RunLink } from "@/ui/links";
import { Empty } from "@/ui/states";
import type { CompareChange, CompareSearch } from "./address";
import classes from "./ComparePage.module.css";
import { EffectText } from "./EffectText";
import { QueryState } from "./QueryState";
import { RemoveButton } from "./Subjects";
import { CHOOSING } from "./Templates";

type Carried = Schemas["CarriedOut"];
type CarryingSubject = Carried["subjects"][number];

type ProductionProps = {
  subjects: readonly string[];
  view: CompareSearch & ReaderQuestionSearch;
  onView: (change: CompareChange) => void;
  onSubjects: (next: readonly string[]) => void;
};

const ANSWERS = {
  yes: { text: "carries it", effect: "better" },
  no: { text: "does not", effect: "worse" },
  not_shown: { text: "not shown", effect: "open" },
} as const;

export function Production({ subjects, view, onView, onSubjects }: ProductionProps) {
  const { question } = readReaderQuestion(view);
  const [first = "", ...tested] = subjects;
  const run = first.startsWith("run:") ? first.slice("run:".length) : null;
  const answer = useQuery({
    ...carryQuery(run ?? "", tested, question?.budget ?? null, view.operations ?? null),
    enabled: run !== null && question !== null,
  });
  if (run === null) {
    return (
      <Empty title="The first is no run of production">
        <p>{CHOOSING.production?.choose}</p>
        <Button size="xs" onClick={() => onSubjects([])}>
          Begin again
        </Button>
      </Empty>
    );
  }
  if (question === null) return <p className="dim">The question in the bar above is not complete.</p>;
  const carried = answer.data;
  if (answer.error !== null || carried === undefined)
    return <QueryState query={answer} what="the load of production" onBegin={() => onSubjects([])} />;
  return (
    <section className="stack-12" aria-label="The load of production">
      <p className="muted wrap-anywhere">{CHOOSING.production?.question}</p>
      <h2 className={`answer-title ${classes["headline"]}`}>{carried.answer}</h2>
      <p className="measure muted">
        <RunLink id={run}>{carried.production.label}</RunLink> counted {carried.load.text}. {sentence(question.text)}
      </p>
      <Field
        label="Operations of a request"
        numeric
        width={6}
        before="A request takes"
        after={`of the judged operations: ${formatCount(carried.needed_per_s)}/s are needed.`}
        placeholder={String(carried.operations_per_request)}
        text={view.operations === undefined ? "" : String(view.operations)}
        onText={(text) => onView({ operations: Number(text) > 0 ? Number(text) : undefined })}
      />
      <Button
        className="self-start no-print"
        size="xs"
        component="a"
        href={carryReportAddress(run, tested, question.budget, view.operations ?? null)}
        target="_blank"
      >
        Report
      </Button>
      <Tests carried={carried} subjects={subjects} onSubjects={onSubjects} />
      <h3>What this rests on</h3>
      <ul>
        {carried.assumptions.map((text) => (
          <li key={text}>{sentence(text)}</li>
        ))}
      </ul>
    </section>
  );
}

function Tests({
  carried,
  subjects,
  onSubjects,
}: Pick<ProductionProps, "subjects" | "onSubjects"> & { carried: Carried }) {
  const columns: Columns<CarryingSubject> = [
    { header: "Tested", accessorKey: "label", meta: ROW_HEADER },
    { header: "Load of production", accessorFn: ({ carried }) => <EffectText {...ANSWERS[carried]} /> },
    { header: "Why", accessorKey: "text" },
    { header: "Verdict of each test", accessorFn: (subject) => <TestList of={subject} /> },
    {
      ...ACTIONS,
      accessorFn: (subject) => <RemoveButton subject={subject} subjects={subjects} onChange={onSubjects} />,
    },
  ];
  return (
    <DataTable
      label="Tests beside the load of production"
      plain="cards"
      columns={columns}
      rows={carried.subjects}
      rowId="subject"
    />
  );
}

function TestList({ of: { tests } }: { of: CarryingSubject }) {
  return (
    <ul>
      {tests.map((test) => (
        <li key={test.subject.href + test.subject.label + test.measured_per_s}>
          <VerdictBadge of={{ ...test, provisional: test.subject.provisional }} />{" "}
          {test.measured_per_s === null ? "at an unknown load" : `at ${formatCount(test.measured_per_s)}/s`}
          {tests.length > 1 ? <span className="dim"> {test.subject.label}</span> : null}
        </li>
      ))}
    </ul>
  );
}
