// Two to six subjects against the first: the answer in a sentence, what speaks against it, every gain with its interval, the
// curves of all on one axis, the load of each, and what they say to the reader's question.
import { Button, Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { type Comparison, comparisonQuery, comparisonReportAddress } from "@/api/comparisons";
import { ApiProblem } from "@/api/problem";
import { ChartFigure } from "@/charts/ChartFigure";
import { SharedCursor } from "@/charts/cursor";
import { rememberSubjects, subjectsOf, textOf } from "@/entities/comparison/subjects";
import { Term } from "@/entities/glossary/Term";
import type { AskedSearch } from "@/entities/question/address";
import { operationName } from "@/entities/run/words";
import { CopyLinkButton } from "@/ui/CopyLinkButton";
import { Empty, Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import type { CompareChange, CompareSearch } from "./address";
import classes from "./ComparePage.module.css";
import { curveSpec, ratioSpec } from "./curves";
import { Loads } from "./Loads";
import { Networks } from "./Networks";
import { Pair } from "./Pair";
import { ServerGenerations } from "./ServerGenerations";
import { SubjectPicker } from "./SubjectPicker";
import { Subjects } from "./Subjects";
import { Verdicts } from "./Verdicts";

type View = CompareSearch & AskedSearch;
type ComparePageProps = { view: View; onView: (change: CompareChange) => void };

const FEWEST = 2;

export function ComparePage({ view, onView }: ComparePageProps) {
  usePageTitle("Compare");
  const subjects = useMemo(() => subjectsOf(view.of), [view.of]);
  useEffect(() => {
    if (subjects.length > 0) rememberSubjects(subjects);
  }, [subjects]);
  const setSubjects = (next: readonly string[]) =>
    onView({ of: textOf(next), template: undefined, operation: next.length < FEWEST ? undefined : view.operation });

  if (view.template !== undefined) {
    return <div className={classes["page"]}>{view.template === "networks" ? <Networks /> : <ServerGenerations />}</div>;
  }
  return (
    <div className={classes["page"]}>
      <header className={classes["head"]}>
        <h1>Compare</h1>
        <div className={`${classes["actions"]} no-print`}>
          <SubjectPicker subjects={subjects} onChange={setSubjects} />
          {subjects.length < FEWEST ? null : (
            <Button
              size="xs"
              variant="default"
              component="a"
              href={comparisonReportAddress(subjects, view.operation)}
              target="_blank"
            >
              Report
            </Button>
          )}
          <CopyLinkButton label="Share" address={() => window.location.href} />
        </div>
      </header>
      {subjects.length < FEWEST ? (
        <Start subjects={subjects} onRemove={() => setSubjects([])} />
      ) : (
        <Compared subjects={subjects} view={view} onView={onView} onSubjects={setSubjects} />
      )}
    </div>
  );
}

function Start({ subjects, onRemove }: { subjects: readonly string[]; onRemove: () => void }) {
  return (
    <Empty title={subjects.length === 0 ? "Choose what to compare" : "One is chosen: add another"}>
      <p>
        Add runs and published configurations here, or by “Compare” on their pages. The first is the base; the others
        are held against it. Two are compared only where their <Term id="conditions">conditions</Term> are equal.
      </p>
      <p>
        <Link to="/compare" search={{ template: "server-generations" }}>
          Example: a new server against an old one, from published figures
        </Link>
      </p>
      <p>
        <Link to="/compare" search={{ template: "networks" }}>
          Example: 10 GbE against 40 GbE, by phase
        </Link>
      </p>
      {subjects.length === 0 ? null : (
        <Button size="xs" variant="default" onClick={onRemove}>
          Begin again
        </Button>
      )}
    </Empty>
  );
}

type ComparedProps = {
  subjects: readonly string[];
  view: View;
  onView: (change: CompareChange) => void;
  onSubjects: (next: readonly string[]) => void;
};

function Compared({ subjects, view, onView, onSubjects }: ComparedProps) {
  const answer = useQuery(comparisonQuery(subjects, view.operation));
  const found = answer.data;
  if (answer.error !== null) {
    const refused = answer.error instanceof ApiProblem && answer.error.status < 500;
    return (
      <>
        <Failed
          error={answer.error}
          what="The comparison"
          {...(refused ? {} : { onRetry: () => void answer.refetch() })}
        />
        <Button className={classes["again"]} size="xs" variant="default" onClick={() => onSubjects([])}>
          Begin again
        </Button>
      </>
    );
  }
  if (found === undefined) return <Loading what="the comparison" lines={4} height={96} />;
  return (
    <>
      <Subjects found={found} subjects={subjects} onChange={onSubjects} />
      <OperationSelect found={found} onChoose={(operation) => onView({ operation })} />
      {found.pairs.map((pair) => (
        <Pair key={found.subjects[pair.new]?.subject ?? pair.new} found={found} pair={pair} />
      ))}
      {found.pairs.length > 1 && (
        <Text size="sm" c="dimmed">
          Each pair is a comparison of its own. Of {found.pairs.length} pairs, chance alone calls one different in up to{" "}
          {5 * found.pairs.length} % of cases.
        </Text>
      )}
      <Charts found={found} view={view} />
      <Loads found={found} />
      <Verdicts found={found} view={view} />
    </>
  );
}

function OperationSelect({
  found,
  onChoose,
}: {
  found: Comparison;
  onChoose: (operation: string | undefined) => void;
}) {
  if (found.operations.length < FEWEST) return null;
  return (
    <Select
      className={`${classes["operation"]} no-print`}
      label="Operation"
      size="xs"
      data={found.operations.map((one) => ({ value: one, label: operationName(one) }))}
      value={found.operation}
      allowDeselect={false}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

function Charts({ found, view }: { found: Comparison; view: CompareSearch }) {
  const curves = useMemo(() => curveSpec(found, view.scale ?? "auto"), [found, view.scale]);
  const ratios = useMemo(() => ratioSpec(found), [found]);
  return (
    <SharedCursor>
      <section className={classes["section"]} aria-label="Percentile curves">
        <ChartFigure spec={curves} />
        {ratios === null ? null : <ChartFigure spec={ratios} height={200} />}
      </section>
    </SharedCursor>
  );
}
