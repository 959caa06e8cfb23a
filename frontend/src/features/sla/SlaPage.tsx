// SLA page: question as a sentence, answer with both scopes, margins, number of nodes, other subjects that pass, and
// evidence.
import { Button, Menu, SegmentedControl } from "@mantine/core";
import { type UseQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, useEffect, useMemo, useState } from "react";
import { ApiProblem, isNotFound } from "@/api/problem";
import { runDetailQuery, runListQuery } from "@/api/queries";
import { budgetsQuery, type KeyedSubject } from "@/api/sla";
import type { BudgetChoice, BudgetItem, Evaluation } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import type { ScaleChoice } from "@/charts/scales";
import { Missing } from "@/entities/missing/Missing";
import { budgetGroups, fieldsOf } from "@/entities/question/budgets";
import { LimitFields } from "@/entities/question/LimitFields";
import { DEFAULTS, documentOf, type Question, readQuestion } from "@/entities/question/question";
import { readReaderQuestion } from "@/entities/question/readerQuestion";
import { questionItem } from "@/entities/saved/items";
import { SaveButton } from "@/entities/saved/SaveButton";
import { AnswerSkeleton } from "@/entities/verdict/AnswerStage";
import { EvaluationAnswer } from "@/entities/verdict/EvaluationAnswer";
import { useEvaluation } from "@/entities/verdict/useEvaluation";
import { sentence as capitalised, unbroken } from "@/lib/format";
import { isId } from "@/lib/ids";
import { Empty, Failed, QueryView } from "@/ui/states";
import { useDraft } from "@/ui/useDraft";
import { useLastNonNull } from "@/ui/useLastNonNull";
import { usePageTitle } from "@/ui/usePageTitle";
import { PASTED, type SlaChange, type SlaDraft, type SlaSearch, shownText } from "./address";
import { Configurations } from "./Configurations";
import { defaultRun } from "./defaultRun";
import { Evidence } from "./Evidence";
import { Margins } from "./Margins";
import { OtherOperations } from "./OtherOperations";
import { type PastedDistribution, usePastedDistribution } from "./pastedDistribution";
import { QuestionSentence } from "./QuestionSentence";
import sentence from "./QuestionSentence.module.css";
import { Relaxations } from "./Relaxations";
import { SentenceField } from "./SentenceField";
import { Sizing } from "./Sizing";
import { SubjectPicker, type SubjectPickerProps } from "./SubjectPicker";
import { readSize } from "./sizeQuestion";
import { timeSpec } from "./timeSpec";

export function SlaPage({ view, onView }: { view: SlaSearch; onView: (change: SlaChange) => void }) {
  usePageTitle("My SLA");
  const draft = useDraft(view, onView);
  const [pasted, setPasted] = usePastedDistribution();
  const budgets = useQuery(budgetsQuery());
  const runs = useInfiniteQuery(runListQuery({}));
  const state = useMemo(() => readQuestion(view), [view]);
  const size = useMemo(() => readSize(view), [view]);
  const toSave = questionItem(view);

  // Without a choice, the newest finished run is judged, and its id is written to the address at once.
  const recentRuns = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const first = defaultRun(recentRuns)?.run_id;
  const unset = view.run === undefined && view.from === undefined;
  const noRuns = runs.data !== undefined && recentRuns.length === 0;
  // A paste field that opened for lack of runs stays open when a run arrives, because it may contain typed text.
  const [beganWithout, setBeganWithout] = useState(false);
  if (noRuns && !beganWithout) setBeganWithout(true);
  useEffect(() => {
    if (unset && !beganWithout && first !== undefined) onView({ run: first });
  }, [unset, beganWithout, first, onView]);

  const named = view.budget === undefined ? null : String(view.budget);
  const limits = named === null && view.limits !== undefined ? String(view.limits) : null;
  const ownQuestion = useMemo(() => budgetQuestionOf(named, limits, state.question), [named, limits, state.question]);
  const last = useLastNonNull(ownQuestion);
  const subject = useMemo(() => subjectOf(view, pasted), [view, pasted]);
  const broken = ownQuestion === null;
  const { answer, calculating } = useEvaluation(subject, last?.budget ?? null);
  // The other requests of the page wait for the answer, which has priority.
  const choosing = unset && !beganWithout && (runs.isPending || first !== undefined);
  const waiting = answer.isFetching || choosing;
  const others = useLastReady(last, !waiting);
  const picker = {
    search: draft.shown,
    onChoose: draft.choose,
    pasted,
    onPaste: setPasted,
    noRuns,
  };

  const items = budgets.data?.items ?? [];
  const runId = view.from !== PASTED && view.run !== undefined && isId(String(view.run)) ? String(view.run) : null;
  const run = useQuery({ ...runDetailQuery(runId ?? ""), enabled: runId !== null });
  const title = run.data?.title ?? recentRuns.find((recent) => recent.run_id === (runId ?? first))?.title ?? null;
  const about = <Subject {...picker} title={title} refusal={refusalOf(view, answer.error)} />;
  const current = answer.data === undefined || subject === null ? null : answer.data;
  return (
    <div className="stack-24">
      <div className="wrap between" style={{ alignItems: "start" }}>
        {limits !== null ? (
          <OwnLimits draft={draft} subject={about} />
        ) : named === null ? (
          <QuestionSentence draft={draft} state={state} subject={about} />
        ) : (
          <NamedBudget name={named} items={budgets.data?.items ?? null} subject={about} onChoose={draft.choose} />
        )}
        <div className="row no-print">
          {toSave === null ? null : <SaveButton item={toSave} what="the question" />}
          <Presets items={items} onChoose={draft.choose} />
        </div>
      </div>
      {(noRuns || (beganWithout && unset)) && view.from !== PASTED ? (
        <SubjectPicker {...picker} refusal={null} />
      ) : null}
      {unset && runs.isLoadingError ? <QueryView query={runs} what="the runs" /> : null}
      {last === null ? (
        <Empty title="Nothing is asked yet">
          <p>Correct the marked value above, and the answer comes by itself.</p>
        </Empty>
      ) : (
        <AnswerSection
          broken={broken}
          answer={answer}
          calculating={calculating}
          judges={subject !== null}
          isAwaited={choosing || run.isLoading}
          view={view}
          draft={draft}
        />
      )}
      {current === null || current.verdict !== "INDETERMINATE" || current.subject.samples !== null ? null : (
        <OtherOperations run={run.data} op={shownText(view, "op", DEFAULTS.op)} onChoose={draft.choose} />
      )}
      {last === null || others === null || run.isLoading ? null : (
        <>
          {current === null || current.verdict === "PASS" || subject === null || broken ? null : (
            <Relaxations
              subject={subject}
              budget={others.budget}
              isOpen={current.verdict === "INDETERMINATE"}
              outdated={draft.pending || others !== last}
              onChoose={draft.choose}
            />
          )}
          {!last.isTransaction ? null : (
            <Sizing subject={subject} budget={others.isTransaction ? others.budget : null} draft={draft} state={size} />
          )}
          <Configurations
            budget={others.budget}
            outdated={!broken && (draft.pending || others !== last)}
            search={draft.shown}
            onChoose={draft.choose}
          />
          {current === null ? null : <Evidence evaluation={current} />}
        </>
      )}
    </div>
  );
}

/** Returns why the API refuses the pasted distribution; null if it does not. */
const refusalOf = (view: SlaSearch, error: Error | null): string | null =>
  view.from === PASTED && error instanceof ApiProblem && error.status < 500 ? error.message : null;

/** Shows the judged subject as a value of the sentence, which opens its control. */
function Subject({ title, ...props }: SubjectPickerProps & { title: string | null }) {
  const { search, pasted } = props;
  const name =
    search.from === PASTED
      ? (pasted?.name ?? "a pasted distribution")
      : (title ?? (props.noRuns ? "a record of mine" : search.run === undefined ? "the newest run" : "this run"));
  return (
    <SentenceField label="Asked of" text={unbroken(name)} broken={props.refusal !== null} opensBroken>
      {(close) => (
        <SubjectPicker
          {...props}
          onChoose={(change) => {
            props.onChoose(change);
            // The control stays open after other changes, because operation and clock are chosen after the run.
            if (change.run !== undefined || change.from === PASTED) close();
          }}
        />
      )}
    </SentenceField>
  );
}

/** Budget to judge; nodes are counted for transactions only. */
type BudgetQuestion = { readonly budget: BudgetChoice; readonly isTransaction: boolean };

function budgetQuestionOf(
  named: string | null,
  limits: string | null,
  question: Question | null,
): BudgetQuestion | null {
  if (named !== null) return { budget: { name: named }, isTransaction: false };
  if (limits !== null) {
    const { question: ownQuestion } = readReaderQuestion({ limits });
    return ownQuestion === null ? null : { budget: ownQuestion.budget, isTransaction: false };
  }
  return question === null ? null : { budget: { document: documentOf(question) }, isTransaction: true };
}

/** Returns the value when last ready; null before. */
function useLastReady<Value>(value: Value | null, ready: boolean): Value | null {
  const [latest, setLatest] = useState<Value | null>(null);
  if (ready && value !== null && value !== latest) setLatest(value);
  return ready && value !== null ? value : latest;
}

const hasInvalidRun = ({ from, run }: SlaSearch): boolean => from !== PASTED && run !== undefined && !isId(String(run));

function subjectOf(view: SlaSearch, pasted: PastedDistribution | null): KeyedSubject | null {
  if (view.from === PASTED) {
    return pasted === null ? null : { key: pasted.key, subject: { distribution: { ...pasted.distribution } } };
  }
  if (view.run === undefined || hasInvalidRun(view)) return null;
  const runId = String(view.run);
  const operation = view.op === undefined || view.also !== undefined ? null : String(view.op);
  const clock = view.clock === undefined ? null : shownText(view, "clock");
  return {
    key: [runId, operation, clock].join(" "),
    // The clock is sent unchecked, because the API names unknown clocks.
    subject: { run_id: runId, operation, clock: clock as NonNullable<KeyedSubject["subject"]["clock"]> | null },
  };
}

function Presets({ items, onChoose }: { items: readonly BudgetItem[]; onChoose: (change: SlaChange) => void }) {
  const groups = budgetGroups(items);
  if (groups.length === 0) return null;
  const newest = items.filter((item) => item.is_newest);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs">Start from</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map(({ group, items: choices }) => (
          <Fragment key={group}>
            <Menu.Label>{group}</Menu.Label>
            {choices.map(({ value, label }) => (
              <Menu.Item
                key={value}
                onClick={() => {
                  const document = newest.find((item) => item.document.name === value)?.document;
                  if (document === undefined) return;
                  onChoose({ limits: undefined, ...(fieldsOf(document) ?? { budget: document.name }) });
                }}
              >
                {label}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the limits on slow reads that another page has set, with their control. */
function OwnLimits({ draft, subject }: { draft: SlaDraft; subject: ReactNode }) {
  const text = shownText(draft.shown, "limits");
  const { question: ownQuestion } = readReaderQuestion({ limits: text });
  return (
    <section className={sentence["sentence"]} aria-label="My limits">
      <h1>
        Does {subject} keep my limits,{" "}
        <SentenceField label="My limits" text={ownQuestion?.text ?? "…"} broken={ownQuestion === null} first>
          {() => (
            <LimitFields
              text={text}
              onEdit={(limits) => draft.edit({ limits })}
              onChoose={(limits) => draft.choose({ limits })}
            />
          )}
        </SentenceField>
        ?
      </h1>
      <div className="small no-print">
        <button type="button" className="plain-button accent" onClick={() => draft.choose({ limits: undefined })}>
          Ask about a transaction instead
        </button>
      </div>
    </section>
  );
}

type NamedBudgetProps = {
  name: string;
  items: readonly BudgetItem[] | null;
  subject: ReactNode;
  onChoose: (change: SlaChange) => void;
};

/** Shows a named budget, which the sentence may not be able to express. */
function NamedBudget({ name, items, subject, onChoose }: NamedBudgetProps) {
  const document = items?.find((item) => item.is_newest && item.document.name === name)?.document;
  const fields = document === undefined ? null : fieldsOf(document);
  return (
    <section className={sentence["sentence"]} aria-label="Asked about">
      <h1>
        {document === undefined ? name : unbroken(document.question || document.title)} Asked of {subject}.
      </h1>
      {document === undefined && items !== null ? (
        <p>There is no budget of this name here. It may belong to another organisation.</p>
      ) : null}
      <div className="small no-print">
        <button type="button" className="plain-button accent" onClick={() => onChoose(fields ?? { budget: undefined })}>
          {fields === null ? "Ask about a transaction instead" : "Change it"}
        </button>
      </div>
    </section>
  );
}

type AnswerSectionProps = {
  broken: boolean;
  answer: UseQueryResult<Evaluation>;
  /** Whether the exact answer is pending because the quick answer is undecided. */
  calculating: boolean;
  judges: boolean;
  /** Whether the subject's name is pending: it decides the height of the sentence, and so the answer's position. */
  isAwaited: boolean;
  view: SlaSearch;
  draft: SlaDraft;
};

function AnswerSection({ broken, answer, calculating, judges, isAwaited, view, draft }: AnswerSectionProps) {
  const evaluation = judges ? answer.data : undefined;
  const scale: ScaleChoice = view.scale ?? "auto";
  const document = evaluation?.budget.document;
  // The text comes from the answer itself, so that an answer to the previous question is marked.
  const text = unbroken(document?.question || document?.title || document?.name || "");
  const spec = useMemo(() => (evaluation === undefined ? null : timeSpec(evaluation, scale)), [evaluation, scale]);
  const refusal = refusalOf(view, answer.error);

  return (
    <>
      {broken ? (
        <p role="status" className="caution notice">
          The answer below is to the question before. Correct the marked value above, and the new one comes by itself.
        </p>
      ) : null}
      {hasInvalidRun(view) ? (
        <Missing what="run" />
      ) : !judges && !isAwaited ? null : answer.error !== null && refusal === null ? (
        isNotFound(answer.error) ? (
          <Missing
            what={answer.error instanceof ApiProblem && answer.error.code === "budget-unknown" ? "budget" : "run"}
          />
        ) : (
          <Failed error={answer.error} what="The answer" onRetry={() => void answer.refetch()} />
        )
      ) : refusal !== null ? (
        <p role="status" className="caution notice">
          {refusal}
        </p>
      ) : isAwaited || evaluation === undefined ? (
        <AnswerSkeleton />
      ) : (
        <div
          id="sla-answer"
          className="stack-32 anchored"
          data-outdated={broken ? "broken" : draft.pending || answer.isPlaceholderData || undefined}
          aria-busy={answer.isFetching || calculating}
        >
          {calculating ? (
            <p role="status" className="caution notice">
              This is the quick answer. The exact one is being calculated: some seconds for a long run.
            </p>
          ) : null}
          <div className="visually-hidden" role="status">
            {answer.isPlaceholderData
              ? ""
              : `${evaluation.words}. ${capitalised(unbroken(evaluation.reason_text ?? ""))}`}
          </div>
          <EvaluationAnswer evaluation={evaluation} name={text} />
          <Margins evaluation={evaluation} />
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
