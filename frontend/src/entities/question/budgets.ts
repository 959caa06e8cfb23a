// Stored budgets as starting points. A transaction with fixed counts fills the form; other budgets are selected by
// name.
import type { BudgetDocument, BudgetItem, TransactionDocument, TransactionFinding } from "@/api/types";
import { unbroken } from "@/lib/format";
import { writeDuration, writePercent } from "@/lib/parse";
import { type Change, plainOf } from "@/lib/search";
import type { QuestionSearch } from "./address";
import { DEFAULTS, MOST_FURTHER_STAGES, type PlannedStage, writeStages } from "./question";
import { needsFanOut, type Scheduling } from "./scheduling";

type StageDocument = TransactionDocument["plan"]["stages"][number];
type FixedStage = StageDocument & { count: number };

/** Changes to the URL when a stored budget is chosen: fields of the form instead of the budget's name. */
export type BudgetFields = Change<QuestionSearch & { budget?: string }>;

const isFixed = (stage: StageDocument): stage is FixedStage => typeof stage.count === "number";

/** Returns the scheduling of a stage. If it names none, the fan-out determines it. */
export function schedulingIn({
  count,
  fan_out: fanOut,
  scheduling,
}: Pick<FixedStage, "count" | "fan_out" | "scheduling">): Scheduling {
  if (scheduling !== null && scheduling !== undefined) return scheduling;
  return fanOut === 1 ? "sequential" : fanOut >= count ? "parallel" : "pool";
}

/** Returns a stage for display. `count` is `null` if it varies. */
export function stageOf(stage: StageDocument): PlannedStage {
  const fixed = isFixed(stage) ? stage : { ...stage, count: Number.POSITIVE_INFINITY };
  return {
    operation: stage.operation,
    count: isFixed(stage) ? stage.count : null,
    scheduling: schedulingIn(fixed),
    fanOut: stage.fan_out,
  };
}

const spaced = (time: string): string => time.replace(/(?<=\d)(?=[a-z])/, " ");

type Transaction = Pick<TransactionDocument, "plan" | "window_ns" | "reserve_ns" | "objective_ratio">;

/** Returns the form fields equivalent to the document; `null` if the form cannot express it. */
export const fieldsOf = (document: BudgetDocument): BudgetFields | null =>
  document.kind === "transaction" ? fieldsOfTransaction(document) : null;

/** Returns the form fields of a stored verdict; `null` if the form cannot express it. Without a plan: sequential. */
export function fieldsOfFinding({ plan, reads, ...finding }: TransactionFinding): BudgetFields | null {
  const stages = plan?.["stages"] ?? [
    { operation: "read", count: reads, fan_out: 1, scheduling: "sequential", overhead_ns: 0 },
  ];
  return Array.isArray(stages) ? fieldsOfTransaction({ ...finding, plan: { stages } }) : null;
}

function fieldsOfTransaction(document: Transaction): BudgetFields | null {
  const [first, ...further] = document.plan.stages;
  if (first === undefined || !isFixed(first) || !further.every(isFixed)) return null;
  if (further.length > MOST_FURTHER_STAGES) return null;
  const scheduling = schedulingIn(first);
  return {
    budget: undefined,
    reads: first.count,
    sched: scheduling,
    fan: needsFanOut(scheduling) ? first.fan_out : undefined,
    window: spaced(writeDuration(document.window_ns)),
    reserve: plainOf(spaced(writeDuration(document.reserve_ns))),
    objective: plainOf(writePercent(document.objective_ratio)),
    overhead: first.overhead_ns === 0 ? undefined : spaced(writeDuration(first.overhead_ns)),
    op: first.operation === DEFAULTS.op ? undefined : first.operation,
    also:
      further.length === 0
        ? undefined
        : writeStages(
            further.filter(isFixed).map((stage) => ({
              count: String(stage.count),
              operation: stage.operation,
              scheduling: schedulingIn(stage),
              fanOut: needsFanOut(schedulingIn(stage)) ? String(stage.fan_out) : "",
              overhead: stage.overhead_ns === 0 ? "" : writeDuration(stage.overhead_ns),
            })),
          ),
  };
}

export type BudgetChoice = { readonly value: string; readonly label: string };

const choiceOf = ({ document }: BudgetItem): BudgetChoice => ({
  value: document.name,
  label: document.title === "" ? document.name : unbroken(document.title),
});

/** Returns the newest version of each stored budget whose kind is accepted by `isWanted`. */
export const budgetChoices = (
  items: readonly BudgetItem[],
  isWanted: (kind: BudgetDocument["kind"]) => boolean,
): BudgetChoice[] => items.filter((item) => item.is_newest && isWanted(item.document.kind)).map(choiceOf);

/** Returns all budgets in groups, transactions first. */
export function budgetGroups(items: readonly BudgetItem[]): { group: string; items: BudgetChoice[] }[] {
  return [
    { group: "Transactions", items: budgetChoices(items, (kind) => kind === "transaction") },
    { group: "Other rules", items: budgetChoices(items, (kind) => kind !== "transaction") },
  ].filter((group) => group.items.length > 0);
}
