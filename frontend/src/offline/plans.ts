// The plan of a transaction: stages of one operation each, as in backend/src/tailroom/domain/transactions/plan.py.

export type Scheduling = "sequential" | "parallel" | "waves" | "pool";
/** Pairs of a number of operations and its probability, ascending. */
export type RandomCount = readonly (readonly [number, number])[];
type AnyStage<Count> = {
  readonly operation: string;
  readonly count: Count;
  /** Most operations in flight at once. */
  readonly fan_out: number;
  readonly scheduling: Scheduling;
  readonly overhead_ns: number;
};
export type Stage = AnyStage<number | RandomCount>;
export type FixedStage = AnyStage<number>;
/** Consecutive stages. */
export type Plan = readonly Stage[];
export type FixedPlan = readonly FixedStage[];

/** Most combinations of random counts that are summed. */
export const MOST_COMBINATIONS = 256;

/** Returns the largest possible number of operations in a stage. */
export const largestOf = ({ count }: Stage): number =>
  typeof count === "number" ? count : Math.max(...count.flatMap(([number, weight]) => (weight > 0 ? [number] : [])));

export const largestCountOf = (plan: Plan): number => plan.reduce((sum, stage) => sum + largestOf(stage), 0);

export const overheadOf = (plan: Plan): number => plan.reduce((sum, { overhead_ns }) => sum + overhead_ns, 0);

/** Returns the operation names in order of the stages, without duplicates. */
export const operationNames = (plan: Plan): readonly string[] => [...new Set(plan.map(({ operation }) => operation))];

/** Returns the only stage of a plan if it has a fixed number of operations; else `undefined`. */
export function onlyStageOf(plan: Plan): FixedStage | undefined {
  const [stage] = plan;
  return plan.length === 1 && stage !== undefined && isFixed(stage) ? stage : undefined;
}

const isFixed = (stage: Stage): stage is FixedStage => typeof stage.count === "number";

/** Returns the scheduling with degenerate cases resolved: waves of one are sequential, waves of all are parallel. */
export function effectiveOf(stage: Stage): Scheduling {
  const { fan_out: fanOut, scheduling } = stage;
  if (scheduling === "sequential" || scheduling === "parallel") return scheduling;
  if (fanOut === 1) return "sequential";
  return fanOut >= largestOf(stage) ? "parallel" : scheduling;
}

/** Returns the least number of operations in sequence. */
export function depthOf(stage: Stage): number {
  const effective = effectiveOf(stage);
  if (effective === "sequential") return largestOf(stage);
  return effective === "parallel" ? 1 : Math.ceil(largestOf(stage) / stage.fan_out);
}

/** Returns the stage with another number of operations. */
export const withCount = (stage: Stage, count: number): FixedStage => ({
  ...stage,
  count,
  fan_out: stage.scheduling === "parallel" ? 1 : stage.fan_out,
});

/** Returns every combination of a plan's counts with its probability; `undefined` if there are too many. */
export function certainCounts(plan: Plan): readonly (readonly [FixedPlan, number])[] | undefined {
  if (plan.every(isFixed)) return [[plan, 1]];
  let combinations: readonly (readonly [FixedPlan, number])[] = [[[], 1]];
  for (const stage of plan) {
    const choices: readonly (readonly [FixedStage, number])[] = isFixed(stage)
      ? [[stage, 1]]
      : (stage.count as RandomCount).flatMap(([count, weight]) =>
          weight > 0 ? [[withCount(stage, count), weight] as const] : [],
        );
    if (combinations.length * choices.length > MOST_COMBINATIONS) return undefined;
    combinations = combinations.flatMap(([stages, chance]) =>
      choices.map(([choice, weight]) => [[...stages, choice], chance * weight] as const),
    );
  }
  return combinations;
}

/** Returns the number of full waves before the last, and the operations of the last wave. */
export function batchSizes(count: number, fanOut: number): readonly [number, number] {
  const full = Math.ceil(count / fanOut) - 1;
  return [full, count - full * fanOut];
}

/** How measured transactions relate to a plan: `exact` for the same plan; `no-later` if the plan ends no later than
 * they do; `no-earlier` if it ends no earlier; `beside` if they bound nothing. */
export type Transfer = "exact" | "no-later" | "no-earlier" | "beside";

/** Returns how measured reads relate to a plan, as `transfers` in measured_transactions.py; `null` if they do not. */
export function transferOf(plan: Plan, issued: FixedStage): Transfer | null {
  const [first] = plan;
  if (first === undefined || first.operation !== READ) return null;
  const reads = plan.filter(({ operation }) => operation === READ);
  const fixed = reads.filter(isFixed);
  if (plan.length === 1 && first.overhead_ns === 0 && endsNoLater(first, issued))
    return fixed.length > 0 && endsNoLater(issued, first) ? "exact" : "no-later";
  const inARow = fixed.reduce((sum, stage) => sum + (effectiveOf(stage) === "sequential" ? stage.count : 0), 0);
  if (inARow >= issued.count || fixed.some((stage) => endsNoLater(issued, stage))) return "no-earlier";
  return reads.length === plan.length ? "beside" : null;
}

const READ = "read";

/** Returns whether a stage cannot take longer than another of the same operation, for any latencies. */
function endsNoLater(stage: Stage, other: Stage): boolean {
  if (largestOf(stage) > largestOf(other)) return false;
  const [effective, otherEffective] = [effectiveOf(stage), effectiveOf(other)];
  if (otherEffective === "sequential" || effective === "parallel") return true;
  if (effective === "pool" && (otherEffective === "pool" || otherEffective === "waves"))
    return stage.fan_out >= other.fan_out;
  return effective === "waves" && otherEffective === "waves" && stage.fan_out % other.fan_out === 0;
}
