// Question as a sentence whose values open controls. Unreadable values stay as typed and are explained below.
import { Button, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import {
  DEFAULTS,
  type FieldName,
  MOST_FURTHER_STAGES,
  NEW_STAGE,
  type QuestionState,
  readStages,
  type StageProblems,
  type StageText,
  schedulingOf,
  writeStages,
} from "@/entities/question/question";
import { needsFanOut, SCHEDULING_CHOICES, SCHEDULING_MEANING } from "@/entities/question/scheduling";
import { SchedulingSelect } from "@/entities/question/TransactionFields";
import { operationsName } from "@/entities/run/words";
import { formatExactLatency } from "@/lib/format";
import { parseDuration } from "@/lib/parse";
import { plainOf } from "@/lib/search";
import { Field } from "@/ui/Field";
import { IconCross } from "@/ui/icons";
import { type SlaDraft, type SlaSearch, shownText } from "./address";
import classes from "./QuestionSentence.module.css";
import { SentenceField } from "./SentenceField";

type Typed = FieldName & keyof typeof DEFAULTS;

type SentenceProps = {
  draft: SlaDraft;
  state: QuestionState;
  /** Control that chooses the judged subject. */
  subject: ReactNode;
};

/** Returns a typed time in standard format; other and unreadable values unchanged. */
function printed(name: Typed, text: string): string {
  if (name !== "window" && name !== "reserve") return text;
  const { value } = parseDuration(text);
  return value === null ? text : formatExactLatency(value);
}

export function QuestionSentence({ draft, state, subject }: SentenceProps) {
  const { shown, edit, choose } = draft;
  const { problems, hints } = state;
  const textOf = (name: Typed): string => shownText(shown, name, DEFAULTS[name]);
  const scheduling = schedulingOf(shown);
  const operation = shownText(shown, "op", DEFAULTS.op);

  const blank = (name: Typed, label: string, { unit = "", first = false } = {}) => (
    <SentenceField
      label={label}
      text={`${textOf(name) === "" ? "…" : printed(name, textOf(name))}${unit}`}
      broken={problems[name] !== undefined}
      first={first}
    >
      {() => (
        <Field
          label={label}
          text={textOf(name)}
          width={10}
          numeric={name !== "window" && name !== "reserve"}
          problem={problems[name]}
          hint={hints[name]}
          onText={(typed) => edit({ [name]: plainOf(typed) })}
          after={unit.trim() === "" ? undefined : unit.trim()}
        />
      )}
    </SentenceField>
  );
  const order = (
    <SentenceField
      label="Scheduling"
      text={
        { sequential: "one after another", parallel: "all at once", waves: "in waves of" }[scheduling] ?? "at a time"
      }
      broken={problems.sched !== undefined}
    >
      {(close) => (
        <ul className={`plain-list ${classes["choices"]}`}>
          {SCHEDULING_CHOICES.map(({ value, label }) => (
            <li key={value}>
              <button
                type="button"
                className="plain-button"
                aria-pressed={value === scheduling}
                onClick={() => {
                  choose(
                    needsFanOut(value)
                      ? { sched: value, fan: shown.fan ?? Number(DEFAULTS.fan) }
                      : { sched: value, fan: undefined },
                  );
                  close();
                }}
              >
                <strong>{label}</strong>
                <span className="dim">{SCHEDULING_MEANING[value]}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </SentenceField>
  );
  const fan = needsFanOut(scheduling) ? blank("fan", "How many at a time") : null;
  const keeps = shown.reserve !== undefined && !/^0\s*\D*$/.test(textOf("reserve"));

  return (
    <section aria-label="My transaction" className={`stack-8 ${classes["sentence"]}`}>
      <h1>
        My transaction does{" "}
        {blank("reads", `How many ${operationsName(operation)}`, {
          unit: ` ${operationsName(operation, textOf("reads") === "1" ? 1 : null)}`,
          first: true,
        })}
        , {scheduling === "waves" ? order : null} {fan} {scheduling === "waves" ? null : order}
        {readStages(shownText(shown, "also")).length === 0 ? "" : ", then more steps"}, and must end within{" "}
        {blank("window", "Window")}
        {keeps ? <>, {blank("reserve", "Time kept for scoring")} of it kept for scoring,</> : null} in{" "}
        {blank("objective", "Objective, per cent of transactions", { unit: "\u00a0%" })} of cases. Does {subject} keep
        it?
      </h1>
      <Problems problems={problems} />
      <Further draft={draft} state={state} keeps={keeps} />
    </section>
  );
}

/** Lists the problems outside the controls, which may be closed; null without any. */
function Problems({ problems }: Pick<QuestionState, "problems">) {
  const texts = Object.values(problems).filter((text) => text !== undefined);
  if (texts.length === 0) return null;
  return (
    <div style={{ color: "var(--fail-ink)" }} role="alert">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Edits reserve, overhead and further stages of the transaction. */
function Further({ draft, state, keeps }: Pick<SentenceProps, "draft" | "state"> & { keeps: boolean }) {
  const { shown, edit, choose } = draft;
  const stages = readStages(shownText(shown, "also"));
  const used = stages.length > 0 || shown.overhead !== undefined;
  const write = (next: readonly StageText[]): SlaSearch["also"] => (next.length === 0 ? undefined : writeStages(next));
  const replaced = (index: number, change: Partial<StageText>): SlaSearch["also"] =>
    write(stages.map((stage, at) => (at === index ? { ...stage, ...change } : stage)));
  return (
    <div className={`wrap small ${classes["further"]} no-print`}>
      {keeps ? null : (
        <button type="button" className="plain-button accent" onClick={() => choose({ reserve: plainOf("100 ms") })}>
          Keep time for scoring
        </button>
      )}
      <details className="fold" open={used || undefined}>
        <summary>Add a step{stages.length === 0 ? "" : ` (${stages.length})`}</summary>
        <div className="stack-12" style={{ paddingTop: 8 }}>
          <Field
            label="Overhead of the first stage"
            text={shownText(shown, "overhead", DEFAULTS.overhead)}
            onText={(typed) => edit({ overhead: typed === "" ? undefined : plainOf(typed) })}
            problem={state.problems.overhead}
            width={7}
            before="First step as above, with a constant time besides its operations (overhead) of"
          />
          {stages.map((stage, index) => (
            <StageRow
              // Stages have no ids and keep their order.
              // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a stage
              key={index}
              number={index + 2}
              stage={stage}
              problems={state.stageProblems[index] ?? {}}
              onType={(change) => edit({ also: replaced(index, change) })}
              onChoose={(change) => choose({ also: replaced(index, change) })}
              onRemove={() => choose({ also: write(stages.filter((_, at) => at !== index)) })}
            />
          ))}
          <Button
            className="self-start"
            size="xs"
            disabled={stages.length >= MOST_FURTHER_STAGES}
            onClick={() => choose({ also: write([...stages, NEW_STAGE]) })}
          >
            Add a stage
          </Button>
        </div>
      </details>
    </div>
  );
}

type StageRowProps = {
  number: number;
  stage: StageText;
  problems: StageProblems;
  onType: (change: Partial<StageText>) => void;
  onChoose: (change: Partial<StageText>) => void;
  onRemove: () => void;
};

function StageRow({ number, stage, problems, onType, onChoose, onRemove }: StageRowProps) {
  const scheduling = stage.scheduling === "" ? "sequential" : stage.scheduling;
  return (
    <fieldset className="wrap divided">
      <legend className="visually-hidden">Stage {number}</legend>
      <Field
        label={`Stage ${number}: how many`}
        numeric
        width={6}
        before="then"
        text={stage.count}
        problem={problems.count}
        onText={(count) => onType({ count })}
      />
      <TextInput
        aria-label={`Stage ${number}: operation`}
        error={problems.operation}
        value={stage.operation}
        onChange={(event) => onType({ operation: event.currentTarget.value })}
      />
      <SchedulingSelect
        label={`Stage ${number}: scheduling`}
        value={scheduling}
        problem={problems.scheduling}
        onChoose={(value) =>
          onChoose({
            scheduling: value ?? "",
            fanOut: needsFanOut(value ?? "") ? (stage.fanOut === "" ? DEFAULTS.fan : stage.fanOut) : "",
          })
        }
      />
      {needsFanOut(scheduling) ? (
        <Field
          label={`Stage ${number}: how many at a time`}
          numeric
          width={4}
          after="at a time"
          text={stage.fanOut}
          problem={problems.fanOut}
          onText={(fanOut) => onType({ fanOut })}
        />
      ) : null}
      <Field
        label={`Stage ${number}: overhead`}
        width={6}
        before="overhead"
        text={stage.overhead}
        placeholder="0"
        problem={problems.overhead}
        onText={(overhead) => onType({ overhead })}
      />
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        leftSection={<IconCross size={12} />}
        aria-label={`Remove stage ${number}`}
        onClick={onRemove}
      >
        Remove
      </Button>
    </fieldset>
  );
}
