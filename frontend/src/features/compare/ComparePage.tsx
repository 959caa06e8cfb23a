// Comparison of two to six subjects with the first: answer, objections, gains, latency curves, loads, verdicts.
import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { comparisonQuery, comparisonReportAddress } from "@/api/comparisons";
import { ChartFigure } from "@/charts/ChartFigure";
import { SharedCursor } from "@/charts/cursor";
import { storeSubjects, subjectsOf, textOf, unknownIn } from "@/entities/comparison/subjects";
import { Term } from "@/entities/glossary/Term";
import type { ReaderQuestionSearch } from "@/entities/question/address";
import { plural } from "@/lib/format";
import { CopyLinkButton } from "@/ui/CopyButton";
import { Empty } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Alignment } from "./Alignment";
import { alignmentOf, type CompareChange, type CompareSearch } from "./address";
import { Chain } from "./Chain";
import classes from "./ComparePage.module.css";
import { Cost } from "./Cost";
import { curveSpec, ratioSpec } from "./curves";
import { Heatmaps } from "./Heatmaps";
import { LoadSearches } from "./LoadSearches";
import { Loads } from "./Loads";
import { Networks } from "./Networks";
import { Pair } from "./Pair";
import { Production } from "./Production";
import { QueryState } from "./QueryState";
import { ServerGenerations } from "./ServerGenerations";
import { SubjectPicker } from "./SubjectPicker";
import { Subjects } from "./Subjects";
import { CHOOSING, Templates } from "./Templates";
import { Verdicts } from "./Verdicts";

type View = CompareSearch & ReaderQuestionSearch;
type ComparePageProps = {
  view: View;
  /** Number of drives on the shortlist. */
  picked: number;
  onView: (change: CompareChange) => void;
};

const FEWEST = 2;

export function ComparePage({ view, picked, onView }: ComparePageProps) {
  usePageTitle("Compare");
  const subjects = useMemo(() => subjectsOf(view.of), [view.of]);
  const unknown = unknownIn(view.of);
  useEffect(() => {
    if (subjects.length > 0) storeSubjects(subjects);
  }, [subjects]);
  const chosen = view.template === undefined ? undefined : CHOOSING[view.template];
  const setSubjects = (next: readonly string[]) =>
    onView({
      of: textOf(next),
      template: chosen === undefined ? undefined : view.template,
      operation: next.length < FEWEST ? undefined : view.operation,
      ...(next.length < FEWEST ? { phase: undefined, load: undefined } : {}),
    });

  if (view.template !== undefined && chosen === undefined) {
    return (
      <div className={`stack-32 ${classes["page"]}`}>
        <Templates current={view.template} of={view.of} />
        {view.template === "networks" && <Networks />}
        {view.template === "server-generations" && <ServerGenerations />}
        {view.template === "chain" && <Chain view={view} onView={onView} />}
        {view.template === "cost" && <Cost view={view} />}
      </div>
    );
  }
  return (
    <div className={`stack-32 ${classes["page"]}`}>
      <Templates current={view.template} of={view.of} />
      <header className="row between">
        <h1>Compare</h1>
        <Group gap="8px 12px" className="no-print">
          <SubjectPicker subjects={subjects} onChange={setSubjects} only={view.template} />
          {subjects.length < FEWEST || view.template === "production" ? null : (
            <Button size="xs" component="a" href={comparisonReportAddress(subjects, alignmentOf(view))} target="_blank">
              Report
            </Button>
          )}
          <CopyLinkButton label="Share" address={() => window.location.href} />
        </Group>
      </header>
      {unknown.length === 0 ? null : (
        <Empty title="Part of this address can be no subject">
          <p className="strong wrap-anywhere">{unknown.join(", ")}</p>
          <p>Subjects are runs, campaigns, drives and published configurations. The link may be incomplete.</p>
        </Empty>
      )}
      {subjects.length < FEWEST ? (
        <Start subjects={subjects} choose={chosen?.choose} picked={picked} onRemove={() => setSubjects([])} />
      ) : view.template === "production" ? (
        <Production subjects={subjects} view={view} onView={onView} onSubjects={setSubjects} />
      ) : (
        <ComparisonContent subjects={subjects} view={view} onView={onView} onSubjects={setSubjects} />
      )}
    </div>
  );
}

const EXAMPLE = ["CD6-R", "CD8P-R"].map((drive) => `publication:kioxia-cd8p-ycsb-2025#test1-r1/${drive}`).join(",");

type StartProps = Pick<ComparePageProps, "picked"> & {
  subjects: readonly string[];
  choose: string | undefined;
  onRemove: () => void;
};

export function Start({ subjects, choose, picked, onRemove }: StartProps) {
  return (
    <Empty title={subjects.length === 0 ? "Choose what to compare" : "One is chosen: add another"}>
      <p>
        {choose ?? "Add runs, campaigns, drives and published configurations here, or by “Compare” on their pages."} The
        first is the base. Two are compared only where their <Term id="conditions">conditions</Term> are equal.
      </p>
      {picked === 0 ? null : (
        <p>
          <Link to="/drives" search={{ compare: "open" }}>
            My shortlist side by side: {plural(picked, "drive")}
          </Link>
        </p>
      )}
      {subjects.length > 0 ? (
        <Button size="xs" onClick={onRemove}>
          Begin again
        </Button>
      ) : choose === undefined ? (
        <p>
          Example:{" "}
          <Link to="/compare" search={{ of: EXAMPLE }}>
            the same workload on two generations of a server
          </Link>
        </p>
      ) : null}
    </Empty>
  );
}

type ComparisonContentProps = {
  subjects: readonly string[];
  view: View;
  onView: (change: CompareChange) => void;
  onSubjects: (next: readonly string[]) => void;
};

function ComparisonContent({ subjects, view, onView, onSubjects }: ComparisonContentProps) {
  const answer = useQuery(comparisonQuery(subjects, alignmentOf(view)));
  const comparison = answer.data;
  if (answer.error !== null || comparison === undefined)
    return <QueryState query={answer} what="the comparison" onBegin={() => onSubjects([])} />;
  const ratios = ratioSpec(comparison);
  return (
    <>
      {comparison.answer === null ? null : (
        <section className="stack-12" aria-label="Answer">
          <p className="muted wrap-anywhere">
            {(view.template && CHOOSING[view.template]?.question) ?? "Which drive holds more load?"}
          </p>
          <h2 className={`answer-title ${classes["headline"]}`}>{comparison.answer}</h2>
        </section>
      )}
      <Subjects comparison={comparison} subjects={subjects} onChange={onSubjects} />
      <Alignment comparison={comparison} onView={onView} />
      {comparison.pairs.map((pair) => (
        <Pair
          key={comparison.subjects[pair.new]?.subject ?? pair.new}
          comparison={comparison}
          pair={pair}
          question={
            view.template === "before-after" && comparison.pairs.length === 1
              ? CHOOSING[view.template]?.question
              : undefined
          }
        />
      ))}
      {comparison.pairs.filter(({ comparable }) => comparable).length > 1 && (
        <Text size="sm" c="dimmed">
          Each pair is a comparison of its own. Of {comparison.pairs.length} pairs, chance alone calls one different in
          up to {5 * comparison.pairs.length}&nbsp;% of cases.
        </Text>
      )}
      <LoadSearches comparison={comparison} />
      <SharedCursor>
        <section className="stack-12" aria-label="Percentile curves">
          <ChartFigure spec={curveSpec(comparison, view.scale ?? "auto")} />
          {ratios === null ? null : <ChartFigure spec={ratios} height={200} />}
        </section>
      </SharedCursor>
      <SharedCursor>
        <Heatmaps comparison={comparison} />
      </SharedCursor>
      <Loads comparison={comparison} />
      <Verdicts comparison={comparison} view={view} />
    </>
  );
}
