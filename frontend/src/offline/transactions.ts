// Whether transactions keep their window, by measured transactions or by the model of single operations, as
// backend/src/tailroom/domain/verdicts/plan_verdict.py: the number of measured transactions alone fixes which of them decides.
import { formatInteger } from "@/lib/format";
import { shareLower, shareUpper } from "./confidence";
import { atOrOver, factorAt, totalOf } from "./counts";
import type { Cells, Operation, Run, SliceModel, TransactionsQuestion } from "./evidence";
import { type Answer, nothing, operationsOf } from "./judge";
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
import { type ModelAnswer, modelAnswer } from "./plan-model";
import { depthOf, type Transfer, transferOf } from "./plans";
import { type Judgement, wordsOf } from "./words";

type Load = ReturnType<typeof loadOf>;
type Evidence = {
  readonly cells: Cells;
  readonly model: SliceModel;
  readonly load: Load;
  readonly measured: Measured | null;
};
type Measured = {
  readonly observed: Bounds;
  readonly confident: Bounds;
  readonly within: Bounds;
  readonly total: number;
  readonly transfer: Transfer;
  readonly contradicts: boolean;
};
type Judged = { readonly judgement: Judgement; readonly basis: string };

/** Return the answer of a run to a question about transactions, or why the page has none. */
export function judgeTransactions(run: Run, asked: TransactionsQuestion): Answer | string {
  if (run.unknown !== "") return nothing("metadata", run.unknown);
  const chosen = operationsOf(run, { operation: asked.operation, clock: null });
  if (typeof chosen === "string") return nothing(asked.operation === "operation" ? "metadata" : "samples", chosen);
  const [operation, ...others] = chosen;
  if (operation === undefined || others.length > 0) return "A transaction is asked of one operation.";
  const transactions = measuredOf(run, operation, asked);
  if (typeof transactions === "string") return transactions;
  const evidence = evidenceOf(operation, transactions, asked, false);
  if (evidence === null) return NO_MODEL;
  const recorded = judged(asked, evidence);
  const unreliable = [
    reliabilityOf(operation, readsLateNs(asked)),
    transactions && reliabilityOf(transactions, lateLimit(asked.window_ns)),
  ].flatMap((slices) => slices ?? []);
  if (recorded.judgement.verdict !== "FAIL" || unreliable.length === 0) return answerOf(recorded, "");
  const best = evidenceOf(operation, transactions, asked, true);
  if (best === null) return NO_MODEL;
  const judgement = standingOf(recorded.judgement, judged(asked, best).judgement);
  const fell = judgement.verdict !== "FAIL";
  const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
  return answerOf({ ...recorded, judgement }, note, fell);
}

const NO_MODEL = "The slices of this record are not in the page, which answers about single operations alone.";

const answerOf = ({ judgement, basis }: Judged, note: string, restsOnUnreliable = false): Answer => ({
  words: wordsOf(judgement),
  judgement,
  rows: [],
  certification: null,
  note,
  basis,
  restsOnUnreliable,
});

/** The lateness that a question tolerates of single operations: those in a row have an even share of the window each. */
const readsLateNs = ({ stage, window_ns }: TransactionsQuestion): number =>
  lateLimit(Math.floor(window_ns / depthOf(stage)));

/** Return the measured transactions that bear on a question; null where there are none. */
function measuredOf(run: Run, { name }: Operation, asked: TransactionsQuestion): Operation | null | string {
  const index = Object.hasOwn(run.named, "transaction") ? run.named["transaction"] : undefined;
  if (typeof index === "string") return index;
  const transactions = index === undefined ? undefined : run.operations[index];
  return transactions === undefined || name === "transaction" || asked.operation === "transaction"
    ? null
    : transactions;
}

function evidenceOf(
  operation: Operation,
  transactions: Operation | null,
  asked: TransactionsQuestion,
  isAtBest: boolean,
): Evidence | null {
  const at = isAtBest ? (reliabilityOf(operation, readsLateNs(asked))?.at_best ?? null) : null;
  const model = at === null ? operation.model : operation.best_models[at];
  const cells = at === null ? operation.cells : operation.best[at];
  if (!model || cells === undefined) return null;
  const bears = transactions !== null && transactions.issued !== null && operation.name === "read";
  const isCounted = bears && totalOf(transactions.cells) > 0;
  const wholeAt =
    isAtBest && transactions ? (reliabilityOf(transactions, lateLimit(asked.window_ns))?.at_best ?? -1) : -1;
  const measured = isCounted
    ? measuredResult(transactions, transactions.best[wholeAt] ?? transactions.cells, asked)
    : null;
  return { cells, model, load: loadOf(isCounted ? transactions : operation), measured };
}

function measuredResult(whole: Operation, cells: Cells, { stage, window_ns }: TransactionsQuestion): Measured | null {
  if (whole.issued === null) return null;
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
    transfer: transferOf(stage, whole.issued),
    contradicts: whole.issued.contradicts,
  };
}

function judged(asked: TransactionsQuestion, { cells, model, load, measured }: Evidence): Judged {
  let answer: ModelAnswer | undefined;
  const modelled = (): ModelAnswer => {
    answer ??= modelAnswer(cells, model, { stage: asked.stage, windowNs: asked.window_ns, objective: asked.objective });
    return answer;
  };
  const basis = `Modelled from ${formatInteger(totalOf(cells))} operations`;
  const ofModel = (): Judged => ({ judgement: judgeModel(asked, modelled(), load), basis });
  if (measured === null) return ofModel();
  const isEnough = measured.total >= FEWEST_OPERATIONS || decide(measured.confident, asked.objective) === "FAIL";
  const counted = `${formatInteger(measured.within.lower)} of ${formatInteger(measured.total)} measured transactions in time`;
  if (measured.transfer === "exact") {
    if (!isEnough && !measured.contradicts) return ofModel();
    return { judgement: judgeMeasured(asked, measured, load), basis: counted };
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
  return {
    judgement: judge({
      observed: load.observed(inRun),
      proven: load.proven(inNext),
      objective: asked.objective,
      undecidedBy: besideObserved(causes, load, inRun),
      unprovenBy: [],
      isTooFew: trusted !== null && !decides && trusted.blocks < FEWEST_OPERATIONS,
    }),
    basis: `${counted}, of another plan`,
  };
}

function along(transfer: Transfer, modelled: Bounds, counted: Bounds): Bounds {
  if (transfer !== "no-later" && transfer !== "no-earlier") return modelled;
  const pick = transfer === "no-later" ? Math.max : Math.min;
  return { lower: pick(modelled.lower, counted.lower), upper: pick(modelled.upper, counted.upper) };
}

const isSame = (a: Bounds, b: Bounds): boolean => a.lower === b.lower && a.upper === b.upper;

/** An estimate is calculated only where it can choose between two causes. */
function middleOf(model: ModelAnswer): Bounds {
  const estimate = model.estimate();
  return { lower: estimate, upper: estimate };
}

const besideObserved = (others: readonly Cause[], load: Load, without: Bounds): readonly Cause[] => [
  ...others.map((cause) => ({ ...cause, without: load.observed(cause.without) })),
  ...load.causes(without),
];

function judgeMeasured({ objective }: TransactionsQuestion, measured: Measured, load: Load): Judgement {
  const { observed, confident } = measured;
  const middle = (observed.lower + observed.upper) / 2;
  const causes: readonly Cause[] =
    observed.lower < observed.upper ? [{ reason: "resolution", without: { lower: middle, upper: middle } }] : [];
  return judge({
    observed: load.observed(observed),
    proven: load.proven(confident),
    objective,
    undecidedBy: besideObserved(causes, load, observed),
    unprovenBy: [],
    isTooFew: measured.total < FEWEST_OPERATIONS,
  });
}

function judgeModel({ objective }: TransactionsQuestion, model: ModelAnswer, load: Load): Judgement {
  const inRun = load.observed(model.observed);
  const isOpen = decide(inRun, objective) === "INDETERMINATE";
  const isDoubtful = load.causes(model.observed).length > 0;
  const without = isOpen && isDoubtful ? middleOf(model) : model.observed;
  return judge({
    observed: inRun,
    proven: load.proven(model.confident),
    objective,
    undecidedBy: besideObserved(isOpen ? [{ reason: "resolution", without }] : [], load, model.observed),
    unprovenBy: [],
    isTooFew: model.blocks < FEWEST_OPERATIONS,
  });
}
