// A stage of a transaction: operations and how they follow each other, as backend/src/tailroom/domain/transactions/plan.py.

export type Scheduling = "sequential" | "parallel" | "waves" | "pool";
export type Stage = {
  readonly count: number;
  /** How many operations are under way at once, at most. */
  readonly fan_out: number;
  readonly scheduling: Scheduling;
  readonly overhead_ns: number;
};

/** Return the scheduling without degenerate cases: waves of one are a sequence, waves of all are parallel. */
export function effectiveOf({ count, fan_out: fanOut, scheduling }: Stage): Scheduling {
  if (scheduling === "sequential" || scheduling === "parallel") return scheduling;
  if (fanOut === 1) return "sequential";
  return fanOut >= count ? "parallel" : scheduling;
}

/** Return the least number of operations in sequence. */
export function depthOf(stage: Stage): number {
  const effective = effectiveOf(stage);
  if (effective === "sequential") return stage.count;
  return effective === "parallel" ? 1 : Math.ceil(stage.count / stage.fan_out);
}

/** Return the stage with another number of operations. */
export const withCount = (stage: Stage, count: number): Stage => ({
  ...stage,
  count,
  fan_out: stage.scheduling === "parallel" ? 1 : stage.fan_out,
});

/** Return the number of full waves before the last, and the operations of the last wave. */
export function waveSizes(count: number, fanOut: number): readonly [number, number] {
  const full = Math.ceil(count / fanOut) - 1;
  return [full, count - full * fanOut];
}

/** `exact`: the same plan; `no-later` and `no-earlier`: what measured transactions say of a plan beside theirs. */
export type Transfer = "exact" | "no-later" | "no-earlier" | "beside";

/** Return how measured transactions of reads bear on a plan of reads (`transfers` of measured_transactions.py). */
export function transferOf(plan: Stage, issued: Stage): Transfer {
  if (plan.overhead_ns === 0 && endsNoLater(plan, issued)) return endsNoLater(issued, plan) ? "exact" : "no-later";
  const inARow = effectiveOf(plan) === "sequential" ? plan.count : 0;
  return inARow >= issued.count || endsNoLater(issued, plan) ? "no-earlier" : "beside";
}

/** Return whether a stage cannot take longer than another of the same operation, for any latencies. */
function endsNoLater(stage: Stage, other: Stage): boolean {
  if (stage.count > other.count) return false;
  const [effective, otherEffective] = [effectiveOf(stage), effectiveOf(other)];
  if (otherEffective === "sequential" || effective === "parallel") return true;
  if (effective === "pool" && (otherEffective === "pool" || otherEffective === "waves"))
    return stage.fan_out >= other.fan_out;
  return effective === "waves" && otherEffective === "waves" && stage.fan_out % other.fan_out === 0;
}
