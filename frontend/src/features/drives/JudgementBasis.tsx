// Choice of the judgement: a rule set, limits, a transaction or a saved budget.
import { SegmentedControl, Select } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import { DEFAULT_RULE_SET } from "@/api/drivePage";
import type { BudgetItem, Leaderboard } from "@/api/types";
import { type BudgetChoice, budgetChoices } from "@/entities/question/budgets";
import { LimitFields } from "@/entities/question/LimitFields";
import { type LimitText, limitsText, textsOf, writeLimitTexts } from "@/entities/question/limits";
import { TRANSACTION_DEFAULTS } from "@/entities/question/question";
import { TransactionFields } from "@/entities/question/TransactionFields";
import { formatSpan } from "@/lib/format";
import { plainOf } from "@/lib/search";
import { type DrivesChange, type DrivesDraft, type DrivesSearch, shownText } from "./address";
import { type Basis, basisOf, NO_BASIS, type QuestionState } from "./question";

type JudgementBasisProps = {
  draft: DrivesDraft;
  state: QuestionState;
  budgets: readonly BudgetItem[];
  /** Latest response, which contains the rules in use; undefined before the first. */
  answer: Leaderboard | undefined;
};

const BASIS_CHOICES: { value: Basis; label: string }[] = [
  { value: "rules", label: "a rule set" },
  { value: "limits", label: "my limits" },
  { value: "transaction", label: "my transaction" },
  { value: "budget", label: "a saved budget" },
];

export function JudgementBasis({ draft, state, budgets, answer }: JudgementBasisProps) {
  const { shown, choose } = draft;
  const narrow = useMediaQuery("(max-width: 640px)", false, { getInitialValueInEffect: false });
  const basis = basisOf(shown);
  const rules = shownText(shown, "rules", DEFAULT_RULE_SET);
  const budget = shownText(shown, "budget");
  const saved = budgetChoices(budgets, (kind) => kind === "transaction");
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
    <section className="stack-12 panel" style={{ padding: "12px 16px" }} aria-label="Judged by">
      <div className="row">
        <span className="strong" id="judged-by">
          Judged by
        </span>
        {narrow ? (
          <Select
            flex={1}
            size="xs"
            aria-labelledby="judged-by"
            value={basis}
            data={choices}
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
          w={264}
          maw="100%"
          ml="auto"
          size="xs"
          aria-label="Start from"
          placeholder="Start from …"
          data={PRESETS}
          value={presetOf(shown)?.value ?? null}
          onChange={(value) => {
            const preset = PRESETS.find((candidate) => candidate.value === value);
            if (preset !== undefined) choose({ ...NO_BASIS, ...preset.change });
          }}
        />
      </div>
      {basis === "rules" ? (
        <BudgetSelect
          label="Rule set"
          choices={ruleSetChoices(budgets, rules)}
          value={rules}
          onChoose={(name) => choose({ rules: name === DEFAULT_RULE_SET ? undefined : name })}
        >
          {answer?.rule_set.name === rules ? <Rules rules={answer.rule_set} /> : null}
        </BudgetSelect>
      ) : null}
      {basis === "limits" ? (
        <LimitFields
          text={shownText(shown, "limits")}
          onEdit={(limits) => draft.edit({ limits })}
          onChoose={(limits) => choose({ limits })}
        />
      ) : null}
      {basis === "transaction" ? (
        <TransactionFields search={shown} problems={state.problems} onEdit={draft.edit} onChoose={choose} />
      ) : null}
      {basis === "budget" ? (
        <BudgetSelect
          label="Saved budget"
          choices={withNamed(saved, budget)}
          value={budget || null}
          onChoose={(name) => choose({ budget: name })}
        >
          {answer?.question?.title}
        </BudgetSelect>
      ) : null}
    </section>
  );
}

function Rules({ rules: { limits, min_duration_ns, slice_ns, version } }: { rules: Leaderboard["rule_set"] }) {
  return (
    <>
      Slow reads {slice_ns === null ? "of the whole test" : `in every ${formatSpan(slice_ns)}`}:{" "}
      <strong>{limitsText(limits)}</strong>
      {min_duration_ns === 0 ? "" : `, tested for ${formatSpan(min_duration_ns)}`}.{" "}
      <span className="dim">Version {version}.</span>
    </>
  );
}

type BudgetSelectProps = {
  label: string;
  choices: BudgetChoice[];
  value: string | null;
  onChoose: (value: string) => void;
  children: ReactNode;
};

function BudgetSelect({ label, choices, value, onChoose, children }: BudgetSelectProps) {
  return (
    <div className="row">
      <Select
        w={264}
        maw="100%"
        aria-label={label}
        data={choices}
        value={value}
        onChange={(next) => next !== null && onChoose(next)}
      />
      {children ? <p style={{ flex: "1 1 320px" }}>{children}</p> : null}
    </div>
  );
}

/** Limits of the page if the question has none yet. */
const OWN_LIMITS: readonly LimitText[] = [
  { threshold: "1 ms", percent: "5" },
  { threshold: "8 ms", percent: "1" },
];

type Preset = { readonly value: string; readonly label: string; readonly change: DrivesChange };

export const PRESETS: Preset[] = [
  {
    value: "fraud",
    label: "Fraud check: 250 reads in 1\u00a0s",
    change: { reads: 250, window: "1s", objective: 99.9 },
  },
  {
    value: "fraud-at-once",
    label: "Fraud check, reads all at once",
    change: { reads: 250, sched: "parallel", window: "1s", objective: 99.9 },
  },
  {
    value: "two-limits",
    label: "5\u00a0% over 1\u00a0ms, 1\u00a0% over 8\u00a0ms",
    change: { limits: writeLimitTexts(OWN_LIMITS) },
  },
  {
    value: "strict",
    label: "1\u00a0% over 1\u00a0ms, 0.1\u00a0% over 8\u00a0ms",
    change: {
      limits: writeLimitTexts([
        { threshold: "1 ms", percent: "1" },
        { threshold: "8 ms", percent: "0.1" },
      ]),
    },
  },
];

/** Returns the preset that equals the question of the address; undefined if none does. */
export function presetOf(search: DrivesSearch): Preset | undefined {
  const keys = Object.keys(NO_BASIS) as (keyof DrivesChange)[];
  return PRESETS.find(({ change }) => keys.every((key) => String(change[key] ?? "") === String(search[key] ?? "")));
}

/** Returns the rule sets, which are budgets of limits on shares; the named rule set is included even if unknown. */
function ruleSetChoices(items: readonly BudgetItem[], name: string): BudgetChoice[] {
  const stored = budgetChoices(items, (kind) => kind === "exceedance");
  const all = stored.some((rules) => rules.value === DEFAULT_RULE_SET)
    ? stored
    : [{ value: DEFAULT_RULE_SET, label: "ACT performance test" }, ...stored];
  return withNamed(all, name);
}

/** Returns the choices with the named one, even if it is unknown. */
const withNamed = (choices: BudgetChoice[], name: string): BudgetChoice[] =>
  name === "" || choices.some(({ value }) => value === name) ? choices : [...choices, { value: name, label: name }];
