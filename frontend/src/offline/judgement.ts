// Verdicts from bounds, the effect of the load generator on bounds, and withdrawal of a FAIL: as in
// backend/src/tailroom/domain/verdicts/verdict.py, generator.py and validity.py, in the same order of floating-point
// operations.
import type { Operation } from "./evidence";
import { type Judgement, REASONS, type Reason, type Scope, type Word } from "./words";

export const FEWEST_OPERATIONS = 100;
const TOLERANCE = 1e-12;
const LATE_LIMITS_NS = { least: 1_000, most: 5_000_000_000 };
export type Bounds = { readonly lower: number; readonly upper: number };
export type Cause = { readonly reason: Reason; readonly without: Bounds };
export const NOTHING_KNOWN: Bounds = { lower: 0, upper: 1 };

export const around = (a: Bounds, b: Bounds): Bounds => ({
  lower: Math.min(a.lower, b.lower),
  upper: Math.max(a.upper, b.upper),
});

/** Returns the effect of the load generator, with functions that widen bounds by it. */
export function loadOf({ load }: Operation) {
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
  return {
    isTooLittle,
    isTooMuch,
    observed,
    proven: (bounds: Bounds): Bounds => {
      if (load.is_production) return NOTHING_KNOWN;
      const rest = observed(bounds);
      return load.closed_loop ? { ...rest, lower: 0 } : rest;
    },
  };
}

export function decide(bounds: Bounds, objective: number): Word {
  if (bounds.lower >= objective) return "PASS";
  return bounds.upper < objective ? "FAIL" : "INDETERMINATE";
}

type Case = {
  /** Bounds in this run, and with confidence for the next, as if the load generator had no effect. */
  readonly inRun: Bounds;
  readonly inNext: Bounds;
  readonly objective: number;
  /** Causes of an undecided verdict besides the load generator. */
  readonly causes: readonly Cause[];
  readonly isTooFew: boolean;
};

export function judge(load: ReturnType<typeof loadOf>, question: Case): Judgement {
  const { objective, causes } = question;
  const bounds = load.observed(question.inRun);
  const wide = around(load.proven(question.inNext), bounds);
  const inRun: Scope = { verdict: decide(bounds, objective), ...bounds };
  const inNext: Scope = { verdict: decide(wide, objective), ...wide };
  const scopes = { observed: inRun, proven: inNext };
  if (inNext.verdict !== "INDETERMINATE")
    return { verdict: inNext.verdict, strength: "proven", reason: null, ...scopes };
  if (inRun.verdict === "INDETERMINATE") {
    const all = causes.map((cause) => ({ ...cause, without: load.observed(cause.without) }));
    if (load.isTooLittle || load.isTooMuch) all.push({ reason: "generator", without: question.inRun });
    return { verdict: "INDETERMINATE", strength: null, reason: decisive(all, bounds, objective), ...scopes };
  }
  if (inRun.verdict === "PASS" && question.isTooFew)
    return {
      verdict: "INDETERMINATE",
      strength: null,
      reason: "samples",
      observed: { ...inRun, verdict: "INDETERMINATE" },
      proven: inNext,
    };
  return { verdict: inRun.verdict, strength: "observed", reason: null, ...scopes };
}

/** Returns the reason of the first cause whose removal decides; else the generator, or a cause that narrows. */
function decisive(causes: readonly Cause[], bounds: Bounds, objective: number): Reason | null {
  const ranked = [...causes].sort((a, b) => REASONS.indexOf(a.reason) - REASONS.indexOf(b.reason));
  const deciding = ranked.find((cause) => decide(cause.without, objective) !== "INDETERMINATE");
  const generator = ranked.find((cause) => cause.reason === "generator");
  const narrowing = ranked.find(
    ({ without }) => without.lower > bounds.lower + TOLERANCE || without.upper < bounds.upper - TOLERANCE,
  );
  return (deciding ?? generator ?? narrowing ?? ranked[0])?.reason ?? null;
}

/** Combines demands that must all be met. Words and bounds are those of the deciding judgement. */
export function combined(judgements: readonly Judgement[]): Judgement {
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

/** Returns the tolerated lateness in nanoseconds: a tenth of the time, rounded down to 1, 2 or 5 × 10ⁿ. */
export function lateLimit(thresholdNs: number): number {
  const tenth = Math.max(1, Math.floor(thresholdNs / 10));
  const decade = 10 ** (String(tenth).length - 1);
  const limit = Math.max(...[1, 2, 5].map((step) => step * decade).filter((step) => step <= tenth));
  return Math.min(Math.max(limit, LATE_LIMITS_NS.least), LATE_LIMITS_NS.most);
}

export const reliabilityOf = (operation: Operation, lateNs: number) =>
  operation.reliability.find(({ limit_ns, at_best }) => limit_ns === lateNs && at_best !== null);

/** Returns the judgement. A FAIL becomes undecided unless it is also a FAIL with every unreliable slice at its best. */
export function standingOf(recorded: Judgement, best: Judgement | null | undefined): Judgement {
  if (recorded.verdict !== "FAIL" || !best) return recorded;
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

const NO_BOUNDS = { lower: null, upper: null };

/** Returns a verdict on this run only: no amount of its data would prove it for the next run. */
export function decided(verdict: Word): Judgement {
  const proven = { verdict: "INDETERMINATE" as const, ...NO_BOUNDS };
  return { verdict, strength: "observed", reason: null, observed: { verdict, ...NO_BOUNDS }, proven };
}

/** Returns an undecided judgement without bounds. */
export function undecided(reason: Reason): Judgement {
  const scope = { verdict: "INDETERMINATE" as const, ...NO_BOUNDS };
  return { verdict: "INDETERMINATE", strength: null, reason, observed: scope, proven: scope };
}
