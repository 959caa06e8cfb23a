// Starting points for a question: typical questions, and stored rule sets.
import { DEFAULT_RULE_SET } from "@/api/drivePage";
import type { BudgetItem } from "@/api/types";
import { type BudgetChoice, budgetChoices } from "@/entities/question/budgets";
import { type LimitText, writeLimitTexts } from "@/entities/question/limits";
import type { DrivesChange, DrivesSearch } from "./address";
import { NO_BASIS } from "./question";

/** Limits of the page if the question has none yet. */
export const OWN_LIMITS: readonly LimitText[] = [
  { threshold: "1 ms", percent: "5" },
  { threshold: "8 ms", percent: "1" },
];

export type Preset = { readonly value: string; readonly label: string; readonly change: DrivesChange };

const PRESETS: readonly Preset[] = [
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

export const presets = (): Preset[] => [...PRESETS];

/** Returns the preset that equals the question of the address; undefined if none does. */
export function presetOf(search: DrivesSearch): Preset | undefined {
  const keys = Object.keys(NO_BASIS) as (keyof DrivesChange)[];
  return PRESETS.find(({ change }) => keys.every((key) => String(change[key] ?? "") === String(search[key] ?? "")));
}

/** Returns the rule sets, which are budgets of limits on shares; the named rule set is included even if unknown. */
export function ruleSetChoices(items: readonly BudgetItem[], name: string): BudgetChoice[] {
  const stored = budgetChoices(items, (kind) => kind === "exceedance");
  const all = stored.some((rules) => rules.value === DEFAULT_RULE_SET)
    ? stored
    : [{ value: DEFAULT_RULE_SET, label: "ACT performance test" }, ...stored];
  return all.some((rules) => rules.value === name) ? all : [...all, { value: name, label: name }];
}

/** Returns the transaction budgets. */
export const savedChoices = (items: readonly BudgetItem[]): BudgetChoice[] =>
  budgetChoices(items, (kind) => kind === "transaction");
