// By what drives are judged: a rule set, own limits, an own transaction, or a saved budget. Choosing another re-ranks them all
// from what is stored.
import { Button, SegmentedControl, Select } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { DEFAULT_RULE_SET } from "@/api/drivePage";
import type { BudgetItem, Leaderboard } from "@/api/types";
import { formatSpan } from "@/lib/format";
import type { LimitOfRating } from "@/lib/ratings";
import { needsFanOut, SCHEDULING_CHOICES } from "@/lib/scheduling";
import { plainOf } from "@/lib/search";
import { nanoseconds } from "@/lib/units";
import { Field } from "@/ui/Field";
import { IconCross } from "@/ui/icons";
import { type DrivesDraft, shownText, type TransactionKey } from "./drivesSearch";
import classes from "./Judge.module.css";
import { limitsText, MOST_LIMITS, readLimits, readLimitTexts, textsOf, writeLimitTexts } from "./ownLimits";
import { OWN_LIMITS, presetOf, presets, ruleSetChoices, savedChoices } from "./presets";
import { type Basis, basisOf, NO_BASIS, type QuestionState, TRANSACTION_DEFAULTS } from "./question";

type JudgeProps = {
  draft: DrivesDraft;
  state: QuestionState;
  budgets: readonly BudgetItem[];
  /** The latest answer: what its rules are. */
  answer: Leaderboard | undefined;
};

const BASIS_CHOICES: { value: Basis; label: string }[] = [
  { value: "rules", label: "a rule set" },
  { value: "limits", label: "my limits" },
  { value: "transaction", label: "my transaction" },
  { value: "budget", label: "a saved budget" },
];

export function Judge({ draft, state, budgets, answer }: JudgeProps) {
  const { shown, choose } = draft;
  const narrow = useMediaQuery("(max-width: 640px)", false, { getInitialValueInEffect: false });
  const basis = basisOf(shown);
  const saved = savedChoices(budgets);
  const choices = BASIS_CHOICES.filter(({ value }) => value !== "budget" || saved.length > 0 || basis === "budget");
  const begin = (next: Basis) => {
    const from = answer?.rule_set.limits ?? [];
    choose({
      ...NO_BASIS,
      ...(next === "limits" ? { limits: writeLimitTexts(from.length === 0 ? OWN_LIMITS : textsOf(from)) } : {}),
      ...(next === "transaction" ? { reads: plainOf(TRANSACTION_DEFAULTS.reads) } : {}),
      ...(next === "budget" ? { budget: saved[0]?.value } : {}),
    });
  };

  return (
    <section className={`${classes["judge"]} panel`} aria-label="Judged by">
      <div className={classes["line"]}>
        <span className={classes["label"]} id="judged-by">
          Judged by
        </span>
        {narrow ? (
          <Select
            className={classes["basis"]}
            size="xs"
            aria-labelledby="judged-by"
            value={basis}
            data={choices}
            allowDeselect={false}
            onChange={(value) => begin((value ?? "rules") as Basis)}
          />
        ) : (
          <SegmentedControl
            size="xs"
            aria-labelledby="judged-by"
            value={basis}
            data={choices}
            onChange={(value) => begin(value as Basis)}
          />
        )}
        <Select
          className={classes["presets"]}
          size="xs"
          aria-label="Start from"
          placeholder="Start from …"
          data={presets()}
          value={presetOf(shown)?.value ?? null}
          onChange={(value) => {
            const preset = presets().find((one) => one.value === value);
            if (preset !== undefined) choose({ ...NO_BASIS, ...preset.change });
          }}
        />
      </div>
      {basis === "rules" ? <RuleSet draft={draft} budgets={budgets} answer={answer} /> : null}
      {basis === "limits" ? <OwnLimits draft={draft} /> : null}
      {basis === "transaction" ? <OwnTransaction draft={draft} problems={state.problems} /> : null}
      {basis === "budget" ? <SavedBudget draft={draft} choices={saved} answer={answer} /> : null}
    </section>
  );
}

function RuleSet({ draft, budgets, answer }: Omit<JudgeProps, "state">) {
  const name = shownText(draft.shown, "rules", DEFAULT_RULE_SET);
  const choices = ruleSetChoices(budgets, name);
  const rules = answer?.rule_set.name === name ? answer.rule_set : null;
  return (
    <div className={classes["line"]}>
      <Select
        className={classes["rules"]}
        aria-label="Rule set"
        data={choices}
        value={name}
        allowDeselect={false}
        onChange={(value) => draft.choose({ rules: value === null || value === DEFAULT_RULE_SET ? undefined : value })}
      />
      {rules === null ? null : (
        <p className={classes["what"]}>
          <RulesText limits={rules.limits} minDurationNs={rules.min_duration_ns} sliceNs={rules.slice_ns} />{" "}
          <span className="dim">Version {rules.version}.</span>
        </p>
      )}
    </div>
  );
}

type RulesTextProps = { limits: readonly LimitOfRating[]; minDurationNs: number; sliceNs: number | null };

function RulesText({ limits, minDurationNs, sliceNs }: RulesTextProps) {
  const every = sliceNs === null ? "of the whole test" : `in every ${formatSpan(nanoseconds(sliceNs))}`;
  const length = minDurationNs === 0 ? "" : `, tested for ${formatSpan(nanoseconds(minDurationNs))}`;
  return (
    <>
      Slow reads {every}: <strong>{limitsText(limits)}</strong>
      {length}.
    </>
  );
}

function OwnLimits({ draft }: { draft: DrivesDraft }) {
  const { shown, edit, choose } = draft;
  const texts = readLimitTexts(shownText(shown, "limits"));
  const { problems } = readLimits(texts);
  const write = (next: typeof texts) => plainOf(writeLimitTexts(next));
  const replaced = (index: number, change: Partial<(typeof texts)[number]>) =>
    write(texts.map((text, at) => (at === index ? { ...text, ...change } : text)));
  return (
    <div className={classes["sentence"]}>
      <span className={classes["lead"]}>Slow reads: fewer than</span>
      {texts.map((text, index) => (
        <fieldset
          // Limits have no names and are never moved.
          // biome-ignore lint/suspicious/noArrayIndexKey: their position is what they are
          key={index}
          className={classes["limit"]}
        >
          <legend className="visually-hidden">Limit {index + 1}</legend>
          <Field
            label={`Limit ${index + 1}: per cent of reads`}
            text={text.percent}
            numeric
            width={5}
            problem={problems[index]?.percent}
            onText={(percent) => edit({ limits: replaced(index, { percent }) })}
            after="%"
          />
          <Field
            label={`Limit ${index + 1}: time`}
            text={text.threshold}
            width={6}
            problem={problems[index]?.threshold}
            onText={(threshold) => edit({ limits: replaced(index, { threshold }) })}
            before="over"
          />
          {texts.length === 1 ? null : (
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              aria-label={`Remove limit ${index + 1}`}
              onClick={() => choose({ limits: write(texts.filter((_, at) => at !== index)) })}
            >
              <IconCross size={12} />
            </Button>
          )}
        </fieldset>
      ))}
      {texts.length === 0 ? <span className={classes["problem"]}>At least one limit is needed.</span> : null}
      <Button
        size="xs"
        variant="default"
        className={classes["add"]}
        disabled={texts.length >= MOST_LIMITS}
        onClick={() => choose({ limits: write([...texts, nextLimit(texts.map((text) => text.threshold))]) })}
      >
        Add a limit
      </Button>
    </div>
  );
}

const USUAL_LIMITS = [
  { threshold: "1 ms", percent: "5" },
  { threshold: "8 ms", percent: "1" },
  { threshold: "64 ms", percent: "0.1" },
];

/** The first of the usual limits that is not there yet. */
const nextLimit = (taken: readonly string[]) =>
  USUAL_LIMITS.find(({ threshold }) => !taken.includes(threshold)) ?? { threshold: "", percent: "" };

type OwnTransactionProps = { draft: DrivesDraft; problems: QuestionState["problems"] };

function OwnTransaction({ draft, problems }: OwnTransactionProps) {
  const { shown, edit, choose } = draft;
  const scheduling = shownText(shown, "sched", TRANSACTION_DEFAULTS.sched);
  const field = (key: Exclude<TransactionKey, "sched">) => ({
    text: shownText(shown, key, TRANSACTION_DEFAULTS[key]),
    onText: (typed: string) => edit({ [key]: plainOf(typed) }),
    problem: problems[key],
  });
  return (
    <div className={classes["sentence"]}>
      <Field {...field("reads")} label="How many reads" numeric width={6} before="My transaction:" after="reads," />
      <Select
        aria-label="Scheduling"
        className={classes["scheduling"]}
        data={SCHEDULING_CHOICES}
        value={SCHEDULING_CHOICES.some((one) => one.value === scheduling) ? scheduling : null}
        placeholder="choose"
        error={problems.sched}
        allowDeselect={false}
        onChange={(value) =>
          choose({
            reads: shown.reads ?? plainOf(TRANSACTION_DEFAULTS.reads),
            sched: value === null || value === TRANSACTION_DEFAULTS.sched ? undefined : value,
            fan: value !== null && needsFanOut(value) ? (shown.fan ?? plainOf(TRANSACTION_DEFAULTS.fan)) : undefined,
          })
        }
      />
      {needsFanOut(scheduling) ? (
        <Field
          {...field("fan")}
          label="How many at a time"
          numeric
          width={4}
          after={scheduling === "waves" ? "in each wave," : "at a time,"}
        />
      ) : null}
      <Field {...field("window")} label="Window" width={7} before="inside" after="," />
      <Field {...field("reserve")} label="Time kept for scoring" width={7} before="keep" after="for scoring," />
      <Field
        {...field("objective")}
        label="Objective, per cent of transactions"
        numeric
        width={6}
        before="for"
        after="% of them."
      />
    </div>
  );
}

type SavedBudgetProps = {
  draft: DrivesDraft;
  choices: { value: string; label: string }[];
  answer: Leaderboard | undefined;
};

function SavedBudget({ draft, choices, answer }: SavedBudgetProps) {
  const name = shownText(draft.shown, "budget");
  const known = choices.some((one) => one.value === name);
  return (
    <div className={classes["line"]}>
      <Select
        className={classes["rules"]}
        aria-label="Saved budget"
        data={known || name === "" ? choices : [...choices, { value: name, label: name }]}
        value={name === "" ? null : name}
        allowDeselect={false}
        onChange={(value) => draft.choose({ budget: value ?? undefined })}
      />
      {answer?.question == null ? null : <p className={classes["what"]}>{answer.question.title}</p>}
    </div>
  );
}
