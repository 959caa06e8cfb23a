import { expect, test } from "vitest";
import type { BudgetDocument, BudgetItem } from "@/api/types";
import { readJson } from "./BudgetForm";
import { nextVersion, patternOf } from "./Budgets";
import { BUDGET, type BudgetTexts, inKind, textsOf } from "./budgetTexts";

const HEAD = { version: 3, title: "A title", question: "A question?" };
const TRANSACTION = {
  kind: "transaction",
  name: "fraud-check",
  ...HEAD,
  plan: {
    stages: [
      { operation: "read", count: 250, fan_out: 10, scheduling: "pool", overhead_ns: 2_000_000 },
      {
        operation: "write",
        count: { weights: { "1": 0.2, "4": 0.8 } },
        fan_out: 4,
        scheduling: "parallel",
        overhead_ns: 0,
      },
    ],
  },
  window_ns: 1_000_000_000,
  reserve_ns: 400_000_000,
  objective_ratio: 0.9999,
} satisfies BudgetDocument;
const DOCUMENTS: BudgetDocument[] = [
  TRANSACTION,
  {
    kind: "exceedance",
    name: "act-limits",
    ...HEAD,
    operation: "read",
    clock: "response",
    limits: [
      { threshold_ns: 1_000_000, ratio: 0.05 },
      { threshold_ns: 64_000_000, ratio: 0.001 },
    ],
    certification: { duration_ns: 24 * 3600e9, slice_ns: 3600e9, decides: true },
  },
  {
    kind: "percentile",
    name: "tails",
    ...HEAD,
    operation: "*",
    clock: null,
    limits: [{ quantile: 0.999, below_ns: 1_500_000 }],
  },
  { kind: "throughput", name: "rates", ...HEAD, floors: [{ quantity: "disk_bytes_per_s", above: 2.5e9 }] },
  { kind: "completion", name: "whole-day", ...HEAD, duration_ns: 24 * 3600e9 },
  { kind: "rule_set", name: "both", ...HEAD, criteria: [TRANSACTION] },
];

test.each(DOCUMENTS)("the form gives back the document of $name", (document) => {
  expect(BUDGET.parse(textsOf(document))).toEqual(document);
});

const problemsOf = (texts: BudgetTexts): Record<string, string> =>
  Object.fromEntries(BUDGET.safeParse(texts).error?.issues.map(({ path, message }) => [path.join("."), message]) ?? []);

test("problems are named beside their fields, in words", () => {
  const texts = textsOf(TRANSACTION);
  if (texts.kind !== "transaction") throw new Error("another kind");
  expect(problemsOf({ ...texts, name: "My budget", window_ns: "soon", objective_ratio: "100" })).toEqual({
    name: "Lower-case words joined by hyphens, such as fast-reads.",
    window_ns: "“soon” is not a time. Write a number and its unit, such as 1\u00a0s or 400\u00a0ms.",
    objective_ratio: "No measurement can show 100\u00a0%. Choose a share below it, such as 99.9\u00a0%.",
  });
  expect(problemsOf({ ...texts, reserve_ns: "2 s" })).toEqual({
    reserve_ns: "The reserve must be shorter than the window.",
  });
  const [stage] = texts.plan.stages;
  if (stage === undefined) throw new Error("no stage");
  expect(problemsOf({ ...texts, plan: { stages: [{ ...stage, fan_out: "300" }] } })).toEqual({
    "plan.stages.0.fan_out": "At most 250.",
  });
  expect(problemsOf({ ...texts, plan: { stages: [{ ...stage, count: "1: 20 %; 4: 70 %" }] } })).toEqual({
    "plan.stages.0.count": "The shares of the counts must add up to 100\u00a0%.",
  });
});

test("another kind has the same name, and a rule set begins with the rule before", () => {
  const texts = textsOf(TRANSACTION);
  expect(inKind(texts, "completion")).toMatchObject({ kind: "completion", name: "fraud-check", version: 3 });
  expect(inKind(texts, "rule_set")).toMatchObject({ name: "fraud-check", criteria: [{ name: "fraud-check-1" }] });
});

const item: BudgetItem = {
  document: TRANSACTION,
  built_in: true,
  applies_to: ["act-storage"],
  is_newest: true,
  created_at: null,
} as unknown as BudgetItem;

test("a new version is the same document with the next number", () => {
  expect(nextVersion(item)).toEqual({ document: { ...TRANSACTION, version: 4 }, applies_to: ["act-storage"] });
});

test("a built-in budget is a pattern under a name of one's own", () => {
  expect(patternOf(item).document).toMatchObject({ name: "my-fraud-check", version: 1, title: "My A title" });
});

test("JSON that is no budget has its problem named before it is sent", () => {
  expect(readJson("{").problem).toContain("no JSON");
  expect(readJson("[1]").problem).toContain("Not a budget");
  expect(readJson(JSON.stringify({ ...TRANSACTION, window_ns: 0 })).problem).toContain("at window_ns");
  expect(readJson(JSON.stringify(TRANSACTION))).toEqual({ budget: TRANSACTION, problem: null });
});
