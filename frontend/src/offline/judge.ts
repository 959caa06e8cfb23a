// Judges limits on the share of slow operations, as backend/src/tailroom/domain/verdicts/exceedance.py does, in the
// same order of floating-point operations.
import { shareLower, shareUpper } from "./confidence";
import { atOrOver, factorAt, totalOf } from "./counts";
import type { Cells, Certification, FullSlice, Limit, LimitsQuestion, Operation, Run } from "./evidence";
import {
  around,
  type Bounds,
  type Cause,
  combined,
  decided,
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
  const lateNs = lateLimit(Math.min(...question.limits.map((limit) => limit.threshold_ns)));
  const unreliable = chosen.flatMap((operation) => reliabilityOf(operation, lateNs) ?? []);
  const certification = certified(question, chosen, false);
  const recorded = wholeOf(rows, certification, question);
  const fails = [...rows.map(({ judgement }) => judgement), certification];
  if (unreliable.length === 0 || !fails.some((judgement) => judgement?.verdict === "FAIL"))
    return answerOf(recorded, { rows, certification });
  const best = judged(
    (operation) => operation.best[reliabilityOf(operation, lateNs)?.at_best ?? -1] ?? operation.cells,
  );
  const standing = rows.map((row, at) => ({ ...row, judgement: standingOf(row.judgement, best[at]?.judgement) }));
  const stood = certification && standingOf(certification, certified(question, chosen, true));
  const judgement = wholeOf(standing, stood, question);
  const fell = recorded.verdict === "FAIL" && judgement.verdict !== "FAIL";
  const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
  const final =
    fell && judgement.verdict === "INDETERMINATE" ? { ...judgement, reason: "generator" as const } : judgement;
  return answerOf(final, { certification: stood, rows: standing, note, restsOnUnreliable: fell });
}

/** Returns the combined verdict of the limits, or the certification if it decides. */
const wholeOf = (rows: readonly LimitRow[], certification: Judgement | null, question: LimitsQuestion): Judgement =>
  certification !== null && question.certification?.decides === true
    ? certification
    : combined(rows.map((row) => row.judgement));

function certified(question: LimitsQuestion, chosen: readonly Operation[], isAtBest: boolean): Judgement | null {
  const rule = question.certification;
  if (!rule) return null;
  const slices = isAtBest ? rule.slices_at_best : rule.slices;
  const limits = question.limits.flatMap((limit) => (limit.kind === "exceedance" ? [limit.ratio] : []));
  return combined(chosen.map((operation, at) => certify(rule, slices[at] ?? [], limits, operation)));
}

/**
 * Judges whether all full slices of a run are strictly below all limits for the required time, by exact counts. It
 * applies to this run only, so it is never proven for the next.
 */
function certify(
  rule: Certification,
  slices: readonly FullSlice[],
  limits: readonly number[],
  operation: Operation,
): Judgement {
  const { isTooLittle, isTooMuch } = loadOf(operation);
  let isUnclear = false;
  for (const slice of slices) {
    for (const [at, ratio] of limits.entries()) {
      const allowed = ratio * slice.total;
      if (slice.total === 0 || (slice.over[at] ?? 0) < allowed || isTooMuch) continue;
      if ((slice.certain[at] ?? 0) >= allowed) return decided("FAIL");
      isUnclear = true;
    }
  }
  if (isUnclear) return undecided("resolution");
  if (rule.duration_ns > operation.measured_ns) return undecided("duration");
  const needed = Math.floor(rule.duration_ns / rule.slice_ns);
  return isTooLittle || isTooMuch || slices.length < needed ? undecided("generator") : decided("PASS");
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
  const causes: readonly Cause[] =
    total === 0
      ? [{ reason: "samples", without: NOTHING_KNOWN }]
      : shares.lower < shares.upper
        ? [{ reason: "resolution", without: middleOf(shares) }]
        : [];
  const judgement = judge(loadOf(operation), {
    inRun,
    inNext,
    objective: limit.kind === "percentile" ? limit.quantile : 1 - limit.ratio,
    causes,
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

/** Returns the answer of a judgement; what `parts` lacks is empty. */
export const answerOf = (judgement: Judgement, parts: Partial<Answer> = {}): Answer => ({
  words: wordsOf(judgement),
  judgement,
  rows: [],
  certification: null,
  note: "",
  basis: "",
  restsOnUnreliable: false,
  ...parts,
});

export const noAnswer = (reason: Reason, note: string): Answer => answerOf(undecided(reason), { note });
