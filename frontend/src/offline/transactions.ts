// Judges whether transactions meet their window, by measured transactions or by the model of single operations, as
// backend/src/tailroom/domain/verdicts/plan_verdict.py does. Only the number of measured transactions determines which
// of the two decides.
import { formatInteger } from "@/lib/format";
import { shareLower, shareUpper } from "./confidence";
import { atOrOver, factorAt, totalOf } from "./counts";
import type { Cells, JointModel, Operation, Run, SliceModel, TransactionsQuestion } from "./evidence";
import { TooMuchWork, withinWork } from "./fourier";
import { type Answer, answerOf, noAnswer, operationsOf } from "./judge";
import {
  type Bounds,
  type Cause,
  decide,
  FEWEST_OPERATIONS,
  judge,
  lateLimit,
  loadOf,
  NOTHING_KNOWN,
  reliabilityOf,
  standingOf,
} from "./judgement";
import { TooManyCounts } from "./plan-bounds";
import { type Counted, type ModelAnswer, modelAnswer } from "./plan-model";
import { depthOf, MOST_COMBINATIONS, onlyStageOf, operationNames, type Transfer, transferOf } from "./plans";
import type { Judgement } from "./words";

type Load = ReturnType<typeof loadOf>;
type Evidence = NonNullable<ReturnType<typeof evidenceOf>>;
type Measurement = NonNullable<ReturnType<typeof measuredResult>>;

/** Limit of work for plans with random counts or several operations: about two seconds. */
const MOST_POINTS = 1_500_000_000;

/** Judges a question about transactions. Returns a sentence if the page cannot. */
export function judgeTransactions(run: Run, question: TransactionsQuestion): Answer | string {
  if (onlyStageOf(question.plan) !== undefined) return judgePlan(run, question);
  try {
    return withinWork(MOST_POINTS, () => judgePlan(run, question));
  } catch (error) {
    if (error instanceof TooManyCounts)
      return `The counts have more than ${MOST_COMBINATIONS} combinations, which are not added up.`;
    if (error instanceof TooMuchWork) return `This plan takes more than two seconds in a page. ${ELSEWHERE}`;
    throw error;
  }
}

const ELSEWHERE =
  "Write it as a budget document, plan.json, and ask the files themselves: tailroom judge FILE --budget plan.json";
const NO_MODEL = "The slices of this record are not in the page, which answers about single operations alone.";
const NO_JOINT_MODEL = `The page has no common slices of these operations. ${ELSEWHERE}`;

function judgePlan(run: Run, question: TransactionsQuestion): Answer | string {
  if (run.unknown !== "") return noAnswer("metadata", run.unknown);
  const operations: Named[] = [];
  for (const name of operationNames(question.plan)) {
    const chosen = operationsOf(run, { operation: name, clock: null });
    if (typeof chosen === "string") return noAnswer(name === "operation" ? "metadata" : "samples", chosen);
    const [operation, ...others] = chosen;
    if (operation === undefined || others.length > 0) return "A stage of a transaction is asked of one operation.";
    operations.push({ name, operation });
  }
  const transactions = measuredOf(run, question);
  if (typeof transactions === "string") return transactions;
  const evidence = evidenceOf(run, operations, transactions, question, false);
  if (evidence === null) return operations.length > 1 ? NO_JOINT_MODEL : NO_MODEL;
  const recorded = judgeEvidence(question, evidence);
  const unreliable = [
    ...operations.map(({ operation }) => reliabilityOf(operation, operationLateNs(question))),
    transactions && reliabilityOf(transactions, lateLimit(question.window_ns)),
  ].flatMap((slices) => slices ?? []);
  if (recorded.judgement.verdict !== "FAIL" || unreliable.length === 0) return recorded;
  const best = evidenceOf(run, operations, transactions, question, true);
  if (best === null)
    return `${unreliable[0]?.text ?? ""}: whether this FAIL rests on that is not in the page. ${ELSEWHERE}`;
  const judgement = standingOf(recorded.judgement, judgeEvidence(question, best).judgement);
  const fell = judgement.verdict !== "FAIL";
  const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
  return answerOf(judgement, { basis: recorded.basis, note, restsOnUnreliable: fell });
}

/** Returns the lateness tolerated for single operations: sequential ones share the window equally. */
const operationLateNs = ({ plan, window_ns }: TransactionsQuestion): number =>
  lateLimit(Math.floor(window_ns / plan.reduce((sum, stage) => sum + depthOf(stage), 0)));

/** Returns the measured transactions; `null` without any, or the reason why their name is ambiguous. */
function measuredOf(run: Run, { plan }: TransactionsQuestion): Operation | null | string {
  const index = run.named["transaction"];
  if (typeof index === "string") return index;
  return plan.some(({ operation }) => operation === "transaction") ? null : (run.operations[index ?? -1] ?? null);
}

/** An operation with its name in the question. */
type Named = { readonly name: string; readonly operation: Operation };

function evidenceOf(
  run: Run,
  asOrdered: readonly Named[],
  transactions: Operation | null,
  question: TransactionsQuestion,
  isAtBest: boolean,
) {
  const { operations, joint } = inModelOrder(run, asOrdered);
  const [first] = operations;
  if (first === undefined) return null;
  const { operation } = first;
  const atBest = operations.map((named) =>
    isAtBest ? (reliabilityOf(named.operation, operationLateNs(question))?.at_best ?? null) : null,
  );
  const model = operations.length > 1 ? jointModelOf(joint, atBest) : modelOf(operation, atBest[0] ?? null);
  if (!model) return null;
  const counted = operations.flatMap(({ name, operation: { cells, best } }, place): Counted => {
    const at = atBest[place] ?? null;
    const [counts, part] = [at === null ? cells : best[at], model.parts[place]];
    return counts === undefined || part === undefined ? [] : [{ name, cells: counts, part }];
  });
  const { issued } = transactions ?? {};
  const transfer = issued ? transferOf(question.plan, issued) : null;
  const bearing = transactions !== null && transfer !== null && totalOf(transactions.cells) > 0 ? transactions : null;
  const bestAt = isAtBest && bearing ? (reliabilityOf(bearing, lateLimit(question.window_ns))?.at_best ?? -1) : -1;
  const measured =
    bearing && transfer ? measuredResult(bearing, bearing.best[bestAt] ?? bearing.cells, question, transfer) : null;
  const generated = bearing ?? asOrdered.map((named) => named.operation).find(isGeneratorUnreliable) ?? operation;
  return { counted, model, load: loadOf(generated), measured };
}

const modelOf = (operation: Operation, at: number | null) =>
  at === null ? operation.model : operation.best_models[at];

/** Returns the model for each operation's index of best-case counts (`null`: as recorded); `null` if missing. */
function jointModelOf(joint: JointModel | null, atBest: readonly (number | null)[]): SliceModel | null {
  if (joint === null || atBest.every((at) => at === null)) return joint?.model ?? null;
  return joint.best.find(({ at_best }) => at_best.join() === atBest.join())?.model ?? null;
}

/** Returns whether the load generator prevents a proven verdict. */
function isGeneratorUnreliable(operation: Operation): boolean {
  const { isTooLittle, isTooMuch } = loadOf(operation);
  return isTooLittle || isTooMuch || operation.load.closed_loop || operation.load.is_production;
}

/** Returns the operations in the order of the page's joint model. The order of stages does not affect the time. */
function inModelOrder(
  run: Run,
  operations: readonly Named[],
): { readonly operations: readonly Named[]; readonly joint: JointModel | null } {
  const places = operations.map(({ operation }) => run.operations.indexOf(operation));
  const joint =
    run.joint.find((each) => each.operations.join() === places.join()) ??
    run.joint.find((each) => [...each.operations].sort().join() === [...places].sort().join());
  const ordered = joint?.operations.flatMap((place) => operations[places.indexOf(place)] ?? []);
  return { operations: ordered ?? operations, joint: joint ?? null };
}

function measuredResult({ issued }: Operation, cells: Cells, { window_ns }: TransactionsQuestion, transfer: Transfer) {
  if (issued === null) return null;
  const total = totalOf(cells);
  const late = atOrOver(cells, window_ns);
  const factor = factorAt(cells, window_ns);
  const within = { lower: total - late.upper, upper: total - late.lower };
  return {
    observed: { lower: within.lower / total, upper: within.upper / total },
    confident: {
      lower: 1 - shareUpper(late.upper / factor, total / factor),
      upper: 1 - shareLower(late.lower / factor, total / factor),
    },
    within,
    total,
    transfer,
    contradicts: issued.contradicts,
  };
}

function judgeEvidence(question: TransactionsQuestion, { counted, model, load, measured }: Evidence): Answer {
  let answer: ModelAnswer | undefined;
  const modelled = (): ModelAnswer => {
    answer ??= modelAnswer(counted, model, question);
    return answer;
  };
  const total = counted.reduce((sum, { cells }) => sum + totalOf(cells), 0);
  const basis = `Modelled from ${formatInteger(total)} operations`;
  const ofModel = (): Answer => answerOf(judgeModel(question, modelled(), load), { basis });
  if (measured === null) return ofModel();
  const isEnough = measured.total >= FEWEST_OPERATIONS || decide(measured.confident, question.objective) === "FAIL";
  const inTime = `${formatInteger(measured.within.lower)} of ${formatInteger(measured.total)} measured transactions in time`;
  if (measured.transfer === "exact") {
    if (!isEnough && !measured.contradicts) return ofModel();
    return answerOf(judgeMeasured(question, measured, load), { basis: inTime });
  }
  if (!(measured.transfer !== "beside" && isEnough) && !measured.contradicts) return ofModel();
  const trusted = measured.contradicts ? null : modelled();
  const inRun = along(measured.transfer, trusted?.observed ?? NOTHING_KNOWN, measured.observed);
  const inNext = along(measured.transfer, trusted?.confident ?? NOTHING_KNOWN, measured.confident);
  if (trusted !== null && isSame(inRun, trusted.observed) && isSame(inNext, trusted.confident)) return ofModel();
  const decides = trusted === null || !isSame(inRun, trusted.observed);
  const causes: readonly Cause[] =
    trusted === null
      ? [{ reason: "dependence", without: NOTHING_KNOWN }]
      : [{ reason: "resolution", without: middleOf(trusted) }];
  const isTooFew = trusted !== null && !decides && trusted.blocks < FEWEST_OPERATIONS;
  return answerOf(judge(load, { inRun, inNext, objective: question.objective, causes, isTooFew }), {
    basis: `${inTime}, of another plan`,
  });
}

function along(transfer: Transfer, modelled: Bounds, counted: Bounds): Bounds {
  if (transfer !== "no-later" && transfer !== "no-earlier") return modelled;
  const pick = transfer === "no-later" ? Math.max : Math.min;
  return { lower: pick(modelled.lower, counted.lower), upper: pick(modelled.upper, counted.upper) };
}

const isSame = (a: Bounds, b: Bounds): boolean => a.lower === b.lower && a.upper === b.upper;

/** Computes the estimate, which is slow: call it only to choose between two causes. */
function middleOf(model: ModelAnswer): Bounds {
  const estimate = model.estimate();
  return { lower: estimate, upper: estimate };
}

function judgeMeasured({ objective }: TransactionsQuestion, measured: Measurement, load: Load): Judgement {
  const { observed, confident } = measured;
  const middle = (observed.lower + observed.upper) / 2;
  const causes: readonly Cause[] =
    observed.lower < observed.upper ? [{ reason: "resolution", without: { lower: middle, upper: middle } }] : [];
  const isTooFew = measured.total < FEWEST_OPERATIONS;
  return judge(load, { inRun: observed, inNext: confident, objective, causes, isTooFew });
}

function judgeModel({ objective }: TransactionsQuestion, model: ModelAnswer, load: Load): Judgement {
  const isOpen = decide(load.observed(model.observed), objective) === "INDETERMINATE";
  const without = isOpen && (load.isTooLittle || load.isTooMuch) ? middleOf(model) : model.observed;
  return judge(load, {
    inRun: model.observed,
    inNext: model.confident,
    objective,
    causes: isOpen ? [{ reason: "resolution", without }] : [],
    isTooFew: model.blocks < FEWEST_OPERATIONS,
  });
}
