// Judges limits on the share of slow operations, as backend/src/tailroom/domain/verdicts/exceedance.py does, in the
// same order of floating-point operations.
import { certify } from "./certification";
import { shareLower, shareUpper } from "./confidence";
import { atOrOver, factorAt, totalOf } from "./counts";
import type { Cells, Limit, LimitsQuestion, Operation, Run } from "./evidence";
import {
  around,
  type Bounds,
  type Cause,
  combined,
  FEWEST_OPERATIONS,
  judge,
  lateLimit,
  loadOf,
  NOTHING_KNOWN,
  reliabilityOf,
  standingOf,
  undecided,
} from "./judgement";
import { type Judgement, type Reason, wordsOf } from "./words";

const LAST_DIGITS = 1e-13;

export type LimitRow = {
  readonly operation: string;
  readonly clock: string;
  readonly limit: Limit;
  readonly over: Bounds;
  readonly total: number;
  readonly effective: number;
  readonly observed: Bounds;
  readonly proven: Bounds;
  readonly judgement: Judgement;
};

export type Answer = {
  readonly words: string;
  readonly judgement: Judgement;
  readonly rows: readonly LimitRow[];
  /** Whether every full slice met the limits; `null` if the question has no certification. */
  readonly certification: Judgement | null;
  /** Reason why nothing was judged, or why a FAIL was withdrawn; else empty. */
  readonly note: string;
  /** Basis of a verdict on transactions; else empty. */
  readonly basis: string;
  /** Whether a FAIL was withdrawn because it depends on slices with a late or overloaded load generator. */
  readonly restsOnUnreliable: boolean;
};

/** Judges a run by limits on the share of slow operations. */
export function judgeLimits(run: Run, question: LimitsQuestion): Answer {
  if (run.unknown !== "") return noAnswer("metadata", run.unknown);
  const chosen = operationsOf(run, question);
  if (typeof chosen === "string") return noAnswer(question.operation === "operation" ? "metadata" : "samples", chosen);
  const judged = (cellsOf: (operation: Operation) => Cells): readonly LimitRow[] =>
    chosen.flatMap((operation) => question.limits.map((limit) => rowOf(operation, cellsOf(operation), limit)));
  const rows = judged((operation) => operation.cells);
  const smallest = Math.min(...question.limits.map((limit) => limit.threshold_ns));
  const lateNs = lateLimit(smallest);
  const unreliable = chosen.flatMap((operation) => reliabilityOf(operation, lateNs) ?? []);
  const recorded = wholeOf(rows, certified(question, chosen, false), question);
  const fails = [...rows, ...(recorded.certification ? [{ judgement: recorded.certification }] : [])];
  if (unreliable.length === 0 || !fails.some(({ judgement }) => judgement.verdict === "FAIL"))
    return { ...recorded, words: wordsOf(recorded.judgement), rows, note: "", basis: "", restsOnUnreliable: false };
  const best = judged(
    (operation) => operation.best[reliabilityOf(operation, lateNs)?.at_best ?? -1] ?? operation.cells,
  );
  const standing = rows.map((row, at) => ({ ...row, judgement: standingOf(row.judgement, best[at]?.judgement) }));
  const bestCertified = certified(question, chosen, true);
  const certification = recorded.certification && standingOf(recorded.certification, bestCertified ?? undefined);
  const { judgement } = wholeOf(standing, certification, question);
  const fell = recorded.judgement.verdict === "FAIL" && judgement.verdict !== "FAIL";
  const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
  const final =
    fell && judgement.verdict === "INDETERMINATE" ? { ...judgement, reason: "generator" as const } : judgement;
  return {
    words: wordsOf(final),
    judgement: final,
    certification,
    rows: standing,
    note,
    basis: "",
    restsOnUnreliable: fell,
  };
}

/** Returns the combined verdict of the limits, or the certification if it decides. */
function wholeOf(rows: readonly LimitRow[], certification: Judgement | null, question: LimitsQuestion) {
  const decides = certification !== null && question.certification?.decides === true;
  return { judgement: decides ? certification : combined(rows.map((row) => row.judgement)), certification };
}

function certified(question: LimitsQuestion, chosen: readonly Operation[], isAtBest: boolean): Judgement | null {
  const rule = question.certification;
  if (!rule) return null;
  const slices = isAtBest ? rule.slices_at_best : rule.slices;
  const limits = question.limits.flatMap((limit) => (limit.kind === "exceedance" ? [limit.ratio] : []));
  return combined(
    chosen.map((operation, at) => {
      const { isTooLittle, isTooMuch } = loadOf(operation);
      return certify(rule, slices[at] ?? [], limits, { measuredNs: operation.measured_ns, isTooLittle, isTooMuch });
    }),
  );
}

/** Returns the operations of a question, or the reason why there are none. */
export function operationsOf(
  run: Run,
  question: Pick<LimitsQuestion, "operation" | "clock">,
): readonly Operation[] | string {
  const at = (index: number): readonly Operation[] => run.operations.slice(index, index + 1);
  let operations: readonly Operation[];
  if (question.operation === "*") {
    operations = run.every.flatMap(at).filter((operation) => operation.name !== "transaction");
    const clocks = ["response", "service", "operation", "queue"];
    const best = new Map<string, Operation>();
    for (const operation of operations) {
      const before = best.get(operation.name);
      if (before === undefined || clocks.indexOf(operation.clock) < clocks.indexOf(before.clock))
        best.set(operation.name, operation);
    }
    operations = [...best.values()];
  } else {
    const [own] = run.own;
    if (question.operation === "operation" && run.own.length > 1)
      return `several operations fit: ${run.own.join(", ")}; name the one that is meant`;
    const name = question.operation === "operation" ? (own ?? question.operation) : question.operation;
    const index = Object.hasOwn(run.named, name) ? run.named[name] : undefined;
    if (typeof index === "string") return index;
    operations = index === undefined ? [] : at(index);
  }
  operations = operations.filter((operation) => question.clock === null || operation.clock === question.clock);
  const there = [...new Set(run.operations.map((operation) => operation.name))].join(", ");
  return operations.length > 0 ? operations : `no such operation has been measured; there is: ${there || "none"}`;
}

function rowOf(operation: Operation, cells: Cells, limit: Limit): LimitRow {
  const total = totalOf(cells);
  const over = atOrOver(cells, limit.threshold_ns);
  const factor = factorAt(cells, limit.threshold_ns);
  const effective = total / factor;
  const shares = total === 0 ? NOTHING_KNOWN : { lower: over.lower / total, upper: over.upper / total };
  const ratios =
    total === 0
      ? NOTHING_KNOWN
      : { lower: shareLower(over.lower / factor, effective), upper: shareUpper(over.upper / factor, effective) };
  const inRun = underOf(shares, limit);
  const inNext = around(underOf(ratios, limit), inRun);
  const load = loadOf(operation);
  const undecidedBy: readonly Cause[] =
    total === 0
      ? [{ reason: "samples", without: NOTHING_KNOWN }]
      : shares.lower < shares.upper
        ? [{ reason: "resolution", without: middleOf(shares) }]
        : [];
  const judgement = judge({
    observed: load.observed(inRun),
    proven: load.proven(inNext),
    objective: limit.kind === "percentile" ? limit.quantile : 1 - limit.ratio,
    undecidedBy: [
      ...undecidedBy.map((cause) => ({ ...cause, without: load.observed(cause.without) })),
      ...load.causes(inRun),
    ],
    unprovenBy: [{ reason: "samples", without: load.proven(inRun) }, ...load.causesOfProven(inNext)],
    isTooFew: total < FEWEST_OPERATIONS,
  });
  return {
    operation: operation.name,
    clock: operation.clock,
    limit,
    over,
    total,
    effective,
    observed: shares,
    proven: { lower: Math.min(ratios.lower, shares.lower), upper: Math.max(ratios.upper, shares.upper) },
    judgement,
  };
}

function middleOf({ lower, upper }: Bounds): Bounds {
  const middle = 1 - (lower + upper) / 2;
  return { lower: middle, upper: middle };
}

/** Returns the shares under the threshold. A share over it that equals the limit fails, as the comparison is strict. */
function underOf(over: Bounds, limit: Limit): Bounds {
  const under = (share: number): number => {
    if (limit.kind === "exceedance" && Math.abs(share - limit.ratio) <= LAST_DIGITS)
      return 1 - limit.ratio - LAST_DIGITS;
    const rest = 1 - share;
    return limit.kind === "percentile" && Math.abs(rest - limit.quantile) <= LAST_DIGITS ? limit.quantile : rest;
  };
  return { lower: under(over.upper), upper: under(over.lower) };
}

export function noAnswer(reason: Reason, note: string): Answer {
  const judgement = undecided(reason);
  return {
    words: wordsOf(judgement),
    judgement,
    certification: null,
    rows: [],
    note,
    basis: "",
    restsOnUnreliable: false,
  };
}
