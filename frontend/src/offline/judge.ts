// Limits on the share of slow operations, judged as the judge does: backend/src/tailroom/domain/verdicts/exceedance.py, generator.py,
// verdict.py and validity.py, in the same order of floating-point operations.
import { certify } from "./certification";
import { shareLower, shareUpper } from "./confidence";
import { atOrOver, factorAt, totalOf } from "./counts";
import type { Cells, Limit, LimitsQuestion, Operation, Run } from "./evidence";
import { type Judgement, REASONS, type Reason, type Scope, type Word, wordsOf } from "./words";

const FEWEST_OPERATIONS = 100;
const LAST_DIGITS = 1e-13;
const TOLERANCE = 1e-12;
const LATE_LIMITS_NS = { least: 1_000, most: 5_000_000_000 };
type Bounds = { readonly lower: number; readonly upper: number };
type Cause = { readonly reason: Reason; readonly without: Bounds };
const NOTHING_KNOWN: Bounds = { lower: 0, upper: 1 };

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
  /** Whether every full slice kept the limits; null where that is not asked. */
  readonly certification: Judgement | null;
  /** Why nothing was judged, or why a FAIL does not stand; empty otherwise. */
  readonly note: string;
};

/** Return the answer of a run to limits on the share of slow operations. */
export function judgeLimits(run: Run, asked: LimitsQuestion): Answer {
  if (run.unknown !== "") return nothing("metadata", run.unknown);
  const chosen = operationsOf(run, asked);
  if (typeof chosen === "string") return nothing(asked.operation === "operation" ? "metadata" : "samples", chosen);
  const judged = (cellsOf: (operation: Operation) => Cells): readonly LimitRow[] =>
    chosen.flatMap((operation) => asked.limits.map((limit) => rowOf(operation, cellsOf(operation), limit)));
  const rows = judged((operation) => operation.cells);
  const smallest = Math.min(...asked.limits.map((limit) => limit.threshold_ns));
  const lateNs = lateLimit(smallest);
  const unreliable = chosen.flatMap((operation) => reliabilityOf(operation, lateNs) ?? []);
  const recorded = wholeOf(rows, certified(asked, chosen, false), asked);
  const fails = [...rows, ...(recorded.certification ? [{ judgement: recorded.certification }] : [])];
  if (unreliable.length === 0 || !fails.some(({ judgement }) => judgement.verdict === "FAIL"))
    return { ...recorded, words: wordsOf(recorded.judgement), rows, note: "" };
  const best = judged(
    (operation) => operation.best[reliabilityOf(operation, lateNs)?.at_best ?? -1] ?? operation.cells,
  );
  const standing = rows.map((row, at) => ({ ...row, judgement: standingOf(row.judgement, best[at]?.judgement) }));
  const bestCertified = certified(asked, chosen, true);
  const certification = recorded.certification && standingOf(recorded.certification, bestCertified ?? undefined);
  const { judgement } = wholeOf(standing, certification, asked);
  const fell = recorded.judgement.verdict === "FAIL" && judgement.verdict !== "FAIL";
  const note = `${unreliable[0]?.text ?? ""}${fell ? "; without them this is no FAIL" : ""}`;
  const final =
    fell && judgement.verdict === "INDETERMINATE" ? { ...judgement, reason: "generator" as const } : judgement;
  return { words: wordsOf(final), judgement: final, certification, rows: standing, note };
}

/** The limits together, or the rule over full slices where that decides. */
function wholeOf(rows: readonly LimitRow[], certification: Judgement | null, asked: LimitsQuestion) {
  const decides = certification !== null && asked.certification?.decides === true;
  return { judgement: decides ? certification : combined(rows.map((row) => row.judgement)), certification };
}

function certified(asked: LimitsQuestion, chosen: readonly Operation[], isAtBest: boolean): Judgement | null {
  const rule = asked.certification;
  if (!rule) return null;
  const slices = isAtBest ? rule.slices_at_best : rule.slices;
  const limits = asked.limits.flatMap((limit) => (limit.kind === "exceedance" ? [limit.ratio] : []));
  return combined(
    chosen.map((operation, at) => {
      const { isTooLittle, isTooMuch } = loadOf(operation);
      return certify(rule, slices[at] ?? [], limits, { measuredNs: operation.measured_ns, isTooLittle, isTooMuch });
    }),
  );
}

/** Return the operations of a question, or why there are none. */
function operationsOf(run: Run, asked: LimitsQuestion): readonly Operation[] | string {
  const at = (index: number): readonly Operation[] => run.operations.slice(index, index + 1);
  let operations: readonly Operation[];
  if (asked.operation === "*") {
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
    if (asked.operation === "operation" && run.own.length > 1)
      return `several operations fit: ${run.own.join(", ")}; name the one that is meant`;
    const name = asked.operation === "operation" ? (own ?? asked.operation) : asked.operation;
    const index = Object.hasOwn(run.named, name) ? run.named[name] : undefined;
    if (typeof index === "string") return index;
    operations = index === undefined ? [] : at(index);
  }
  operations = operations.filter((operation) => asked.clock === null || operation.clock === asked.clock);
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

/** Shares under the threshold; a share over that equals the limit fails a strict comparison. */
function underOf(over: Bounds, limit: Limit): Bounds {
  const under = (share: number): number => {
    if (limit.kind === "exceedance" && Math.abs(share - limit.ratio) <= LAST_DIGITS)
      return 1 - limit.ratio - LAST_DIGITS;
    const rest = 1 - share;
    return limit.kind === "percentile" && Math.abs(rest - limit.quantile) <= LAST_DIGITS ? limit.quantile : rest;
  };
  return { lower: under(over.upper), upper: under(over.lower) };
}

const around = (a: Bounds, b: Bounds): Bounds => ({
  lower: Math.min(a.lower, b.lower),
  upper: Math.max(a.upper, b.upper),
});

/** What the load of the generator leaves of bounds. */
function loadOf({ load }: Operation) {
  const allowance = Math.max(0.01 * (load.intended ?? 0), 8);
  const isTooLittle =
    load.missing_intervals > 0 ||
    load.fell_behind ||
    (load.intended !== null && load.counted < load.intended - allowance);
  const isTooMuch = load.intended !== null && load.counted > load.intended + allowance;
  const observed = ({ lower, upper }: Bounds): Bounds => ({
    lower: isTooLittle || isTooMuch ? 0 : lower,
    upper: isTooMuch || load.missing_intervals > 0 ? 1 : upper,
  });
  const causes = (without: Bounds): readonly Cause[] =>
    isTooLittle || isTooMuch ? [{ reason: "generator", without }] : [];
  return {
    isTooLittle,
    isTooMuch,
    observed,
    causes,
    proven: (bounds: Bounds): Bounds => {
      if (load.is_production) return NOTHING_KNOWN;
      const rest = observed(bounds);
      return load.closed_loop ? { ...rest, lower: 0 } : rest;
    },
    causesOfProven: (without: Bounds): readonly Cause[] => {
      const own = causes(without);
      if (own.length > 0) return own;
      const further: Cause[] = [];
      if (load.is_production) further.push({ reason: "generator", without });
      if (load.closed_loop) further.push({ reason: "generator", without });
      return further;
    },
  };
}

function decide(bounds: Bounds, objective: number): Word {
  if (bounds.lower >= objective) return "PASS";
  return bounds.upper < objective ? "FAIL" : "INDETERMINATE";
}

type Case = {
  readonly observed: Bounds;
  readonly proven: Bounds;
  readonly objective: number;
  readonly undecidedBy: readonly Cause[];
  readonly unprovenBy: readonly Cause[];
  readonly isTooFew: boolean;
};

function judge({ observed, proven, objective, undecidedBy, unprovenBy, isTooFew }: Case): Judgement {
  const wide = around(proven, observed);
  const inRun: Scope = { verdict: decide(observed, objective), ...observed };
  const inNext: Scope = { verdict: decide(wide, objective), ...wide };
  const scopes = { observed: inRun, proven: inNext };
  if (inNext.verdict !== "INDETERMINATE")
    return { verdict: inNext.verdict, strength: "proven", reason: null, ...scopes };
  if (inRun.verdict === "INDETERMINATE") {
    const reason = decisive(undecidedBy, observed, objective);
    return { verdict: "INDETERMINATE", strength: null, reason, ...scopes };
  }
  if (inRun.verdict === "PASS" && isTooFew)
    return {
      verdict: "INDETERMINATE",
      strength: null,
      reason: "samples",
      observed: { ...inRun, verdict: "INDETERMINATE" },
      proven: inNext,
    };
  decisive(unprovenBy, wide, objective);
  return { verdict: inRun.verdict, strength: "observed", reason: null, ...scopes };
}

/** The reason of the first cause whose removal decides; else that of the generator, else of what narrows, else of the first. */
function decisive(causes: readonly Cause[], bounds: Bounds, objective: number): Reason | null {
  const ranked = [...causes].sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
  const deciding = ranked.find((cause) => decide(cause.without, objective) !== "INDETERMINATE");
  const generator = ranked.find((cause) => cause.reason === "generator");
  const narrowing = ranked.find(
    ({ without }) => without.lower > bounds.lower + TOLERANCE || without.upper < bounds.upper - TOLERANCE,
  );
  return (deciding ?? generator ?? narrowing ?? ranked[0])?.reason ?? null;
}

/** All demands must be met: the words and bounds are those of the deciding one. */
function combined(judgements: readonly Judgement[]): Judgement {
  const rank = ({ verdict, strength, reason }: Judgement): number => {
    if (verdict === "FAIL") return strength === "proven" ? 0 : 100;
    if (verdict === "INDETERMINATE") return 200 + (reason === null ? -1 : REASONS.indexOf(reason));
    return strength === "observed" ? 300 : 400;
  };
  const [first, ...others] = judgements;
  if (first === undefined) throw new Error("a question has at least one limit");
  const leading = others.reduce((best, other) => (rank(other) < rank(best) ? other : best), first);
  const allOf = (words: readonly Word[]): Word =>
    words.includes("FAIL") ? "FAIL" : words.includes("INDETERMINATE") ? "INDETERMINATE" : "PASS";
  return {
    ...leading,
    observed: { ...leading.observed, verdict: allOf(judgements.map(({ observed }) => observed.verdict)) },
    proven: { ...leading.proven, verdict: allOf(judgements.map(({ proven }) => proven.verdict)) },
  };
}

/** The lateness that a question tolerates: a tenth of its time, rounded down to 1, 2 or 5. */
function lateLimit(thresholdNs: number): number {
  const tenth = Math.max(1, Math.floor(thresholdNs / 10));
  const decade = 10 ** (String(tenth).length - 1);
  const limit = Math.max(...[1, 2, 5].map((step) => step * decade).filter((step) => step <= tenth));
  return Math.min(Math.max(limit, LATE_LIMITS_NS.least), LATE_LIMITS_NS.most);
}

const reliabilityOf = (operation: Operation, lateNs: number) =>
  operation.reliability.find(({ limit_ns, at_best }) => limit_ns === lateNs && at_best !== null);

/** A FAIL remains where it is also one with every unreliable slice at its best. */
function standingOf(recorded: Judgement, best: Judgement | undefined): Judgement {
  if (recorded.verdict !== "FAIL" || best === undefined) return recorded;
  const observed = standingScope(recorded.observed, best.observed);
  const proven = standingScope(recorded.proven, best.proven);
  if (observed.verdict !== "FAIL")
    return { verdict: "INDETERMINATE", strength: null, reason: "generator", observed, proven };
  const strength = recorded.strength === "proven" && proven.verdict !== "FAIL" ? "observed" : recorded.strength;
  return { ...recorded, strength, observed, proven };
}

function standingScope(recorded: Scope, best: Scope): Scope {
  const ends = (side: "lower" | "upper", pick: (a: number, b: number) => number): number | null => {
    const [a, b] = [recorded[side], best[side]];
    return a === null || b === null ? a : pick(a, b);
  };
  const falls = recorded.verdict === "FAIL" && best.verdict !== "FAIL";
  return {
    verdict: falls ? "INDETERMINATE" : recorded.verdict,
    lower: ends("lower", Math.min),
    upper: ends("upper", Math.max),
  };
}

function nothing(reason: Reason, note: string): Answer {
  const scope: Scope = { verdict: "INDETERMINATE", lower: null, upper: null };
  const judgement: Judgement = { verdict: "INDETERMINATE", strength: null, reason, observed: scope, proven: scope };
  return { words: wordsOf(judgement), judgement, certification: null, rows: [], note };
}
