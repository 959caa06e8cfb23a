// Budgets as starting points. A transaction of fixed counts fills the sentence; every other budget is asked about by its name.
import type { BudgetDocument, BudgetItem, TransactionDocument } from "@/api/types";
import { writeDuration, writePercent } from "@/lib/parse";
import { needsFanOut, type Scheduling } from "@/lib/scheduling";
import { plainOf } from "@/lib/search";
import { nanoseconds, ratio } from "@/lib/units";
import { DEFAULTS, type PlannedStage } from "./question";
import type { SlaChange } from "./slaSearch";
import { MOST_FURTHER_STAGES, writeStages } from "./stages";

type StageDocument = TransactionDocument["plan"]["stages"][number];
type FixedStage = StageDocument & { count: number };

const isFixed = (stage: StageDocument): stage is FixedStage => typeof stage.count === "number";

function schedulingIn({ count, fan_out: fanOut, scheduling }: FixedStage): Scheduling {
  if (scheduling !== null && scheduling !== undefined) return scheduling;
  return fanOut === 1 ? "sequential" : fanOut >= count ? "parallel" : "pool";
}

/** A stage of a document as the sentence names it; a count that varies is not a number. */
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

/** The fields that ask the same as the document; null where the sentence cannot say it. */
export function fieldsOf(document: BudgetDocument): SlaChange | null {
  if (document.kind !== "transaction") return null;
  const [first, ...further] = document.plan.stages;
  if (first === undefined || !isFixed(first) || !further.every(isFixed)) return null;
  if (further.length > MOST_FURTHER_STAGES) return null;
  const scheduling = schedulingIn(first);
  return {
    budget: undefined,
    reads: first.count,
    sched: scheduling,
    fan: needsFanOut(scheduling) ? first.fan_out : undefined,
    window: spaced(writeDuration(nanoseconds(document.window_ns))),
    reserve: plainOf(spaced(writeDuration(nanoseconds(document.reserve_ns)))),
    objective: plainOf(writePercent(ratio(document.objective_ratio))),
    overhead: first.overhead_ns === 0 ? undefined : spaced(writeDuration(nanoseconds(first.overhead_ns))),
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
              overhead: stage.overhead_ns === 0 ? "" : writeDuration(nanoseconds(stage.overhead_ns)),
            })),
          ),
  };
}

/** The newest version of each budget, transactions first. */
export function presetGroups(
  items: readonly BudgetItem[],
): { group: string; items: { value: string; label: string }[] }[] {
  const newest = items.filter((item) => item.is_newest);
  const choice = ({ document }: BudgetItem) => ({
    value: document.name,
    label: document.title === "" ? document.name : document.title,
  });
  const transactions = newest.filter((item) => item.document.kind === "transaction");
  const others = newest.filter((item) => item.document.kind !== "transaction");
  return [
    { group: "Transactions", items: transactions.map(choice) },
    { group: "Other rules", items: others.map(choice) },
  ].filter((group) => group.items.length > 0);
}
