// The plan of a transaction: stages of an operation each, as backend/src/tailroom/domain/transactions/plan.py.

export type Scheduling = "sequential" | "parallel" | "waves" | "pool";
/** Possible numbers of operations with their probabilities, ascending. */
export type RandomCount = readonly (readonly [number, number])[];
type AnyStage<Count> = {
  readonly operation: string;
  readonly count: Count;
  /** How many operations are under way at once, at most. */
  readonly fan_out: number;
  readonly scheduling: Scheduling;
  readonly overhead_ns: number;
};
export type Stage = AnyStage<number | RandomCount>;
export type FixedStage = AnyStage<number>;
/** Stages that follow each other. */
export type Plan = readonly Stage[];
export type FixedPlan = readonly FixedStage[];

/** More combinations of random counts are not added up. */
export const MOST_COMBINATIONS = 256;

/** The largest number of operations that can happen. */
export const largestOf = ({ count }: Stage): number =>
  typeof count === "number" ? count : Math.max(...count.flatMap(([number, weight]) => (weight > 0 ? [number] : [])));

export const largestCountOf = (plan: Plan): number => plan.reduce((sum, stage) => sum + largestOf(stage), 0);

export const overheadOf = (plan: Plan): number => plan.reduce((sum, { overhead_ns }) => sum + overhead_ns, 0);

/** Names of the operations, each once, in the order of the stages. */
export const operationNames = (plan: Plan): readonly string[] => [...new Set(plan.map(({ operation }) => operation))];

/** Return the stage of a plan that has a single number of operations; undefined for other plans. */
export function onlyStageOf(plan: Plan): FixedStage | undefined {
  const [stage] = plan;
  return plan.length === 1 && stage !== undefined && isFixed(stage) ? stage : undefined;
}

const isFixed = (stage: Stage): stage is FixedStage => typeof stage.count === "number";

/** Return the scheduling without degenerate cases: waves of one are a sequence, waves of all are parallel. */
export function effectiveOf(stage: Stage): Scheduling {
  const { fan_out: fanOut, scheduling } = stage;
  if (scheduling === "sequential" || scheduling === "parallel") return scheduling;
  if (fanOut === 1) return "sequential";
  return fanOut >= largestOf(stage) ? "parallel" : scheduling;
}

/** Return the least number of operations in sequence. */
export function depthOf(stage: Stage): number {
  const effective = effectiveOf(stage);
  if (effective === "sequential") return largestOf(stage);
  return effective === "parallel" ? 1 : Math.ceil(largestOf(stage) / stage.fan_out);
}

/** Return the stage with another number of operations. */
export const withCount = (stage: Stage, count: number): FixedStage => ({
  ...stage,
  count,
  fan_out: stage.scheduling === "parallel" ? 1 : stage.fan_out,
});

/** Return every combination of the counts of a plan, with its probability; undefined where these are too many. */
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

/** Return the number of full waves before the last, and the operations of the last wave. */
export function waveSizes(count: number, fanOut: number): readonly [number, number] {
  const full = Math.ceil(count / fanOut) - 1;
  return [full, count - full * fanOut];
}

/** `exact`: the same plan; `no-later` and `no-earlier`: what measured transactions say of a plan beside theirs. */
export type Transfer = "exact" | "no-later" | "no-earlier" | "beside";

/** Return how measured transactions of reads bear on a plan (`transfers` of measured_transactions.py); null: not at all. */
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

/** Return whether a stage cannot take longer than another of the same operation, for any latencies. */
function endsNoLater(stage: Stage, other: Stage): boolean {
  if (largestOf(stage) > largestOf(other)) return false;
  const [effective, otherEffective] = [effectiveOf(stage), effectiveOf(other)];
  if (otherEffective === "sequential" || effective === "parallel") return true;
  if (effective === "pool" && (otherEffective === "pool" || otherEffective === "waves"))
    return stage.fan_out >= other.fan_out;
  return effective === "waves" && otherEffective === "waves" && stage.fan_out % other.fan_out === 0;
}
