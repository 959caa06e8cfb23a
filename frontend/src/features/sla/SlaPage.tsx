// Does it meet my SLA? The question as a sentence, the record it is asked of, the answer with its picture, every configuration
// against the same question, and how many nodes it takes.
import { Button, SegmentedControl, Select } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { ApiProblem, isNotFound } from "@/api/problem";
import { runListQuery } from "@/api/queries";
import { type AskedSubject, budgetsQuery, evaluateQuery } from "@/api/sla";
import type { BudgetChoice, BudgetDocument, BudgetItem } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import type { ScaleChoice } from "@/charts/scales";
import { operationName } from "@/lib/words";
import { Empty, Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { VerdictBadge } from "@/ui/VerdictBadge";
import { AnswerCard } from "./AnswerCard";
import { Configurations } from "./Configurations";
import { type Pasted, usePasted } from "./pasted";
import { fieldsOf, presetGroups } from "./presets";
import { documentOf, planText, type Question, questionText, readQuestion } from "./question";
import { Sentence } from "./Sentence";
import { Sizing } from "./Sizing";
import classes from "./SlaPage.module.css";
import { SubjectPicker } from "./SubjectPicker";
import { readSize } from "./sizeQuestion";
import { PASTED, type SlaSearch, shownText } from "./slaSearch";
import { timeSpec } from "./timeSpec";
import { type SlaChange, useDraft } from "./useDraft";
import { headlineText } from "./wording";

type SlaPageProps = { view: SlaSearch; onView: (change: SlaChange) => void };

export function SlaPage({ view, onView }: SlaPageProps) {
  usePageTitle("My SLA");
  const draft = useDraft(view, onView);
  const [pasted, setPasted] = usePasted();
  const budgets = useQuery(budgetsQuery());
  const runs = useInfiniteQuery(runListQuery({}));
  const state = useMemo(() => readQuestion(view), [view]);
  const size = useMemo(() => readSize(view), [view]);

  // Nothing chosen yet: the newest finished run stands for the others, and its name goes into the address at once.
  const known = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const first = (known.find((run) => run.state === "finished") ?? known[0])?.run_id;
  const unset = view.run === undefined && view.from === undefined;
  useEffect(() => {
    if (unset && first !== undefined) onView({ run: first });
  }, [unset, first, onView]);

  const named = view.budget === undefined ? null : String(view.budget);
  const asked = useMemo(() => askedOf(named, state.question), [named, state.question]);
  const last = useLast(asked);
  const subject = useMemo(() => subjectOf(view, pasted), [view, pasted]);
  const broken = asked === null;

  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>Does it meet my SLA?</h1>
        <Presets items={budgets.data?.items ?? []} named={named} question={state.question} onChoose={draft.choose} />
      </div>
      {named === null ? (
        <Sentence draft={draft} state={state} />
      ) : (
        <NamedBudget name={named} items={budgets.data?.items ?? null} onChoose={draft.choose} />
      )}
      {last === null ? (
        <SubjectPicker
          search={draft.shown}
          onChoose={draft.choose}
          pasted={pasted}
          onPaste={setPasted}
          refusal={null}
          noRuns={runs.data !== undefined && known.length === 0}
        />
      ) : (
        <Judged
          asked={last}
          broken={broken}
          subject={subject}
          view={view}
          draft={draft}
          pasted={pasted}
          onPaste={setPasted}
          noRuns={runs.data !== undefined && known.length === 0}
        />
      )}
      {last === null ? (
        <Empty title="Nothing is asked yet">
          <p>Correct the marked field above, and the answer comes by itself.</p>
        </Empty>
      ) : (
        <>
          <Configurations
            budget={last.budget}
            outdated={!broken && draft.pending}
            search={draft.shown}
            onChoose={draft.choose}
          />
          {last.plan === null ? null : <Sizing subject={subject} budget={last.budget} draft={draft} state={size} />}
        </>
      )}
    </div>
  );
}

/** What is asked: the budget for the API, and its words for the reader. */
type Asked = { readonly budget: BudgetChoice; readonly text: string | null; readonly plan: string | null };

function askedOf(named: string | null, question: Question | null): Asked | null {
  if (named !== null) return { budget: { name: named }, text: null, plan: null };
  if (question === null) return null;
  return {
    budget: { document: documentOf(question) },
    text: questionText(question),
    plan: planText(question.stages),
  };
}

/** The last that was not null: while a field cannot be read, the answer before stays, dimmed. */
function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  return value ?? last;
}

function subjectOf(view: SlaSearch, pasted: Pasted | null): AskedSubject | null {
  if (view.from === PASTED) {
    return pasted === null ? null : { key: pasted.key, subject: { distribution: { ...pasted.distribution } } };
  }
  if (view.run === undefined) return null;
  const runId = String(view.run);
  const operation = view.op === undefined || view.also !== undefined ? null : String(view.op);
  const clock = view.clock === undefined ? null : shownText(view, "clock");
  return {
    key: [runId, operation, clock].join(" "),
    // The API names a clock that it does not know; the page passes on what the address says.
    subject: { run_id: runId, operation, clock: clock as NonNullable<AskedSubject["subject"]["clock"]> | null },
  };
}

type PresetsProps = {
  items: readonly BudgetItem[];
  named: string | null;
  question: Question | null;
  onChoose: (change: SlaChange) => void;
};

function Presets({ items, named, question, onChoose }: PresetsProps) {
  const groups = presetGroups(items);
  if (groups.length === 0) return null;
  const newest = items.filter((item) => item.is_newest);
  const same = newest.find((item) => question !== null && asksTheSame(item.document, question));
  return (
    <Select
      className={`${classes["presets"]} no-print`}
      aria-label="Start from a known budget"
      placeholder="Start from a known budget"
      data={groups}
      value={named ?? same?.document.name ?? null}
      onChange={(name) => {
        const document = newest.find((item) => item.document.name === name)?.document;
        if (document === undefined) return;
        onChoose(fieldsOf(document) ?? { budget: document.name });
      }}
    />
  );
}

/** Whether a budget is the sentence as it stands. */
function asksTheSame(document: BudgetDocument, question: Question): boolean {
  const fields = fieldsOf(document);
  if (fields === null) return false;
  const other = readQuestion(fields as SlaSearch).question;
  return other !== null && questionText(other) === questionText(question) && document.kind === "transaction";
}

type NamedBudgetProps = {
  name: string;
  items: readonly BudgetItem[] | null;
  onChoose: (change: SlaChange) => void;
};

/** Rules that the sentence cannot say, asked about by their name. */
function NamedBudget({ name, items, onChoose }: NamedBudgetProps) {
  const document = items?.find((item) => item.is_newest && item.document.name === name)?.document;
  const fields = document === undefined ? null : fieldsOf(document);
  return (
    <section className={`${classes["named"]} panel`} aria-label="Asked about">
      <div>
        <strong>{document === undefined || document.title === "" ? name : document.title}</strong>
        {document === undefined ? (
          items === null ? null : (
            <p>There is no budget of this name here. It may belong to another organisation.</p>
          )
        ) : (
          <p>
            {document.question} <span className="dim">Version {document.version}.</span>
          </p>
        )}
      </div>
      <Button size="xs" variant="default" onClick={() => onChoose(fields ?? { budget: undefined })}>
        {fields === null ? "Ask about a transaction instead" : "Change it"}
      </Button>
    </section>
  );
}

type JudgedProps = {
  asked: Asked;
  /** The question cannot be read at the moment. */
  broken: boolean;
  subject: AskedSubject | null;
  view: SlaSearch;
  draft: ReturnType<typeof useDraft>;
  pasted: Pasted | null;
  onPaste: (pasted: Pasted) => void;
  noRuns: boolean;
};

const NO_SUBJECT: AskedSubject = { key: "", subject: {} };

function Judged({ asked, broken, subject, view, draft, pasted, onPaste, noRuns }: JudgedProps) {
  const answer = useQuery({ ...evaluateQuery(subject ?? NO_SUBJECT, asked.budget), enabled: subject !== null });
  const evaluation = subject === null ? undefined : answer.data;
  const scale: ScaleChoice = view.scale ?? "auto";
  const document = evaluation?.budget.document;
  const text = asked.text ?? (document?.question || document?.title || document?.name || "");
  const plan = asked.plan ?? planOf(document);
  const spec = useMemo(
    () => (evaluation === undefined ? null : timeSpec(evaluation, plan, scale)),
    [evaluation, plan, scale],
  );
  const refusal =
    view.from === PASTED && answer.error instanceof ApiProblem && answer.error.status < 500
      ? answer.error.message
      : null;

  return (
    <>
      <SubjectPicker
        search={draft.shown}
        onChoose={draft.choose}
        pasted={pasted}
        onPaste={onPaste}
        refusal={refusal}
        noRuns={noRuns}
      />
      {broken ? (
        <p role="status" className={classes["stale"]}>
          The answer below is to the question before. Correct the marked field above, and the new one comes by itself.
        </p>
      ) : null}
      {subject === null ? null : answer.error !== null && refusal === null ? (
        isNotFound(answer.error) ? (
          <Empty title="There is no such run">
            <p>It may belong to another organisation, or the link may be incomplete. Choose a run above.</p>
            <Link to="/runs">Show runs</Link>
          </Empty>
        ) : (
          <Failed error={answer.error} what="The answer" onRetry={() => void answer.refetch()} />
        )
      ) : refusal !== null ? null : evaluation === undefined ? (
        <Loading what="the answer" lines={2} height={160} />
      ) : (
        <div
          id="sla-answer"
          className={classes["answer"]}
          data-outdated={broken ? "broken" : draft.pending || answer.isPlaceholderData || undefined}
          aria-busy={answer.isFetching}
        >
          <div className="visually-hidden" role="status">
            {answer.isPlaceholderData ? "" : `${evaluation.verdict}. ${evaluation.reason_text ?? ""}`}
          </div>
          <AnswerCard evaluation={evaluation} question={text} />
          <a href="#sla-answer" className={`${classes["brief"]} no-print`}>
            <VerdictBadge verdict={evaluation.verdict} reason={evaluation.reason} />
            <span>{headlineText(evaluation)}</span>
          </a>
          {spec === null ? null : (
            <ChartFigure
              spec={spec}
              height={380}
              controls={
                <SegmentedControl
                  size="xs"
                  aria-label="Time axis"
                  value={scale}
                  data={["auto", "linear", "log"]}
                  onChange={(value) =>
                    draft.choose({ scale: value === "auto" ? undefined : (value as "linear" | "log") })
                  }
                />
              }
            />
          )}
        </div>
      )}
    </>
  );
}

/** What a named transaction does, for the picture's title. */
function planOf(document: BudgetDocument | undefined): string {
  if (document?.kind !== "transaction") return "";
  return document.plan.stages
    .map((stage) =>
      typeof stage.count === "number"
        ? `${stage.count.toLocaleString("en-GB")} × ${operationName(stage.operation).toLowerCase()}`
        : `a varying number of ${operationName(stage.operation).toLowerCase()}s`,
    )
    .join(", then ");
}
