// The question as a sentence of fields. What cannot be read is explained beside its field, and stays as it was typed.
import { Button, TextInput } from "@mantine/core";
import {
  DEFAULTS,
  type FieldName,
  type QuestionState,
  type StageProblems,
  schedulingOf,
} from "@/entities/question/question";
import { SchedulingSelect } from "@/entities/question/SchedulingSelect";
import { MOST_READS, needsFanOut, SCHEDULING_MEANING } from "@/entities/question/scheduling";
import { MOST_FURTHER_STAGES, NEW_STAGE, readStages, type StageText, writeStages } from "@/entities/question/stages";
import { operationName } from "@/entities/run/words";
import { formatExactLatency, formatExactPercent, formatInteger } from "@/lib/format";
import { parseDuration, parsePercent, parseWhole, writeDuration, writePercent } from "@/lib/parse";
import { plainOf } from "@/lib/search";
import { nanoseconds, ratio } from "@/lib/units";
import { Field } from "@/ui/Field";
import { IconCross } from "@/ui/icons";
import { type SlaDraft, type SlaSearch, shownText } from "./address";
import classes from "./Sentence.module.css";
import {
  FAN_STOPS,
  nearestObjective,
  nearestStop,
  OBJECTIVE_STOPS,
  READ_STOPS,
  RESERVE_STOPS,
  WINDOW_STOPS,
} from "./stops";

type SentenceProps = { draft: SlaDraft; state: QuestionState };

const WHOLE = { least: 1, most: MOST_READS, what: "" } as const;

export function Sentence({ draft, state }: SentenceProps) {
  const { shown, edit, choose } = draft;
  const { problems, hints } = state;
  const text = (name: FieldName & keyof typeof DEFAULTS): string => shownText(shown, name, DEFAULTS[name]);
  const scheduling = schedulingOf(shown);
  const operation = operationName(shownText(shown, "op", DEFAULTS.op)).toLowerCase();
  const field = (name: FieldName & keyof typeof DEFAULTS) => ({
    text: text(name),
    onText: (typed: string) => edit({ [name]: plainOf(typed) }),
    problem: problems[name],
    hint: hints[name],
  });

  return (
    <section className={`${classes["sentence"]} panel`} aria-label="My transaction">
      <div className={classes["fields"]}>
        <Field
          {...field("reads")}
          label={`How many ${operation}s`}
          first
          numeric
          width={7}
          before="My transaction:"
          after={`${operation}s,`}
          slider={wholeSlider(READ_STOPS, text("reads"))}
        />
        <div className={classes["choice"]}>
          <SchedulingSelect
            className={classes["scheduling"]}
            value={scheduling}
            problem={problems.sched}
            onChoose={(value) =>
              choose(
                value === null || !needsFanOut(value)
                  ? { sched: value ?? undefined, fan: undefined }
                  : { sched: value, fan: shown.fan ?? Number(DEFAULTS.fan) },
              )
            }
          />
          {problems.sched === undefined ? <p className={classes["meaning"]}>{SCHEDULING_MEANING[scheduling]}</p> : null}
        </div>
        {needsFanOut(scheduling) ? (
          <Field
            {...field("fan")}
            label="How many at a time"
            numeric
            width={5}
            after={scheduling === "waves" ? "in each wave," : "at a time,"}
            slider={wholeSlider(FAN_STOPS, text("fan"))}
          />
        ) : null}
        <Field
          {...field("window")}
          label="Window"
          width={7}
          before="inside"
          after=","
          slider={timeSlider(WINDOW_STOPS, text("window"))}
        />
        <Field
          {...field("reserve")}
          label="Time kept for scoring"
          width={7}
          before="keep"
          after="for scoring,"
          slider={timeSlider(RESERVE_STOPS, text("reserve"))}
        />
        <Field
          {...field("objective")}
          label="Objective, per cent of transactions"
          numeric
          width={8}
          before="for"
          after="% of them."
          slider={objectiveSlider(text("objective"))}
        />
      </div>
      <Advanced draft={draft} state={state} />
    </section>
  );
}

function wholeSlider(stops: readonly number[], text: string) {
  const value = parseWhole(text, WHOLE).value;
  return {
    stops,
    index: nearestStop(stops, value ?? stops[0] ?? 1),
    write: String,
    spoken: value === null ? "not a number" : formatInteger(value),
  };
}

function timeSlider(stops: readonly number[], text: string) {
  const value = parseDuration(text).value;
  return {
    stops,
    index: nearestStop(stops, value ?? stops[0] ?? 1),
    write: (stop: number) => writeDuration(nanoseconds(stop)).replace(/(?<=\d)(?=[a-z])/, " "),
    spoken: value === null ? "not a time" : value === 0 ? "nothing" : formatExactLatency(value),
  };
}

function objectiveSlider(text: string) {
  const value = parsePercent(text).value;
  return {
    stops: OBJECTIVE_STOPS,
    index: value === null ? 0 : nearestObjective(value),
    write: (stop: number) => writePercent(ratio(stop)),
    spoken: value === null ? "not a share" : formatExactPercent(value),
  };
}

function Advanced({ draft, state }: SentenceProps) {
  const { shown, edit, choose } = draft;
  const also = shownText(shown, "also");
  const stages = readStages(also);
  const used = stages.length > 0 || shown.overhead !== undefined;
  const write = (next: readonly StageText[]): SlaSearch["also"] => (next.length === 0 ? undefined : writeStages(next));
  const replaced = (index: number, change: Partial<StageText>): SlaSearch["also"] =>
    write(stages.map((stage, at) => (at === index ? { ...stage, ...change } : stage)));
  return (
    <details className={classes["advanced"]} open={used || undefined}>
      <summary>Overhead and further stages{stages.length === 0 ? "" : ` (${stages.length})`}</summary>
      <div className={classes["stages"]}>
        <p className="dim">
          Stages follow one another. The overhead of a stage is a constant time besides its operations, such as a
          network round trip.
        </p>
        <Field
          label="Overhead of the first stage"
          text={shownText(shown, "overhead", DEFAULTS.overhead)}
          onText={(typed) => edit({ overhead: typed === "" ? undefined : plainOf(typed) })}
          problem={state.problems.overhead}
          width={7}
          before="First stage as above, overhead"
        />
        {stages.map((stage, index) => (
          <StageRow
            // Stages have no names and are never moved.
            // biome-ignore lint/suspicious/noArrayIndexKey: their position is what they are
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
          className={classes["add"]}
          size="xs"
          variant="default"
          disabled={stages.length >= MOST_FURTHER_STAGES}
          onClick={() => choose({ also: write([...stages, NEW_STAGE]) })}
        >
          Add a stage
        </Button>
      </div>
    </details>
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
    <fieldset className={classes["stage"]}>
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
        className={classes["operation"]}
        error={problems.operation}
        value={stage.operation}
        onChange={(event) => onType({ operation: event.currentTarget.value })}
      />
      <SchedulingSelect
        label={`Stage ${number}: scheduling`}
        className={classes["scheduling"]}
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
