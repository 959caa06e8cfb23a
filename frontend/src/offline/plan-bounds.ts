// Bounds on the share of transactions that end within a time, per group: the tighter of moment bounds (Bernstein) and
// sums on a grid. As in backend/src/tailroom/domain/transactions/plan_bounds.py, whose comments prove them.
import { type GridTerm, shareWithin } from "./fourier";
import { CEILINGS_NS, type Group, type Masses, powerOfShares } from "./masses";
import {
  batchSizes,
  certainCounts,
  effectiveOf,
  type FixedPlan,
  type FixedStage,
  onlyStageOf,
  overheadOf,
  type Plan,
} from "./plans";

const WIDENING = 1e-8;
const LEVELS = { least: 4, most: 46 };
const CHEAP_BINS = 1 << 14;
const ESTIMATE_BINS = 1 << 14;

export type Distributions = { readonly late: Masses; readonly early: Masses; readonly middle: Masses };
type Side = keyof Distributions;
/** `times` independent terms, each the slowest of `atOnce` operations, with latencies divided by `shared` workers. */
type Factor = { readonly operation: string; readonly atOnce: number; readonly shared: number; readonly times: number };
type Factors = readonly Factor[];
/** Shares by group: bounds without a grid, which groups they leave undecided, and bounds on the grid for those. */
type Shares = {
  readonly best: readonly number[];
  readonly open: readonly boolean[];
  readonly onGrid: (group: number) => number;
};

/** Thrown if random counts have too many combinations. */
export class TooManyCounts extends Error {}

export class PlanBounds {
  /**
   * `distributions` are distributions by operation, with equal groups. `coarser` has the same groups in wider buckets: the
   * tighter of both bounds is used, so that wider buckets never give narrower bounds.
   */
  constructor(
    private readonly distributions: ReadonlyMap<string, Distributions>,
    private readonly bins: number,
    private readonly coarser: PlanBounds | null,
  ) {}

  /** Returns the least share of each group's transactions within a time. */
  lower(plan: Plan, timeNs: number): readonly number[] {
    return this.added(plan, (fixed) => this.least(fixed, timeNs - overheadOf(fixed)));
  }

  /** Returns the largest share of each group's transactions within a time. */
  upper(plan: Plan, timeNs: number): readonly number[] {
    return this.added(plan, (fixed) => this.most(fixed, timeNs - overheadOf(fixed)));
  }

  /** Returns an estimate between the bounds; for a pool, their middle. It decides nothing. */
  estimate(plan: Plan, timeNs: number, lower: readonly number[], upper: readonly number[]): readonly number[] {
    if (plan.some((stage) => effectiveOf(stage) === "pool"))
      return this.each((group) => ((lower[group] ?? 0) + (upper[group] ?? 1)) / 2);
    const coarse = new PlanBounds(this.distributions, Math.min(this.bins, ESTIMATE_BINS), null);
    const open = this.each((group) => (upper[group] ?? 1) - (lower[group] ?? 0)).map((width) => width > WIDENING);
    const shares = this.added(plan, (fixed) => {
      const [netNs, factors] = [timeNs - overheadOf(fixed), slowFactors(fixed)];
      const [factor] = factors;
      if (netNs <= 0) return this.settled(this.each(() => 0));
      if (factor !== undefined && isAtOnce(factors)) return this.settled(this.masses("middle", factor).within(netNs));
      const onGrid = (group: number): number => coarse.onGrid("middle", factors, levelOf(netNs), netNs, group);
      return { best: lower, open, onGrid };
    });
    return shares.map((share, group) => Math.min(Math.max(share, lower[group] ?? 0), upper[group] ?? 1));
  }

  /** Sums the shares over all combinations of counts, group by group, so that combinations can share transforms. */
  private added(plan: Plan, sharesOf: (fixed: FixedPlan) => Shares): readonly number[] {
    const combinations = certainCounts(plan);
    if (combinations === undefined) throw new TooManyCounts();
    const shares = combinations.map(([fixed, weight]) => ({ weight, ...sharesOf(fixed) }));
    return this.each((group) => {
      const shareOf = ({ best, open, onGrid }: Shares): number => (open[group] ? onGrid(group) : (best[group] ?? 0));
      return Math.min(
        1,
        shares.reduce((sum, each) => sum + each.weight * shareOf(each), 0),
      );
    });
  }

  private settled(best: readonly number[]): Shares {
    return { best, open: best.map(() => false), onGrid: () => 0 };
  }

  private least(plan: FixedPlan, netNs: number): Shares {
    if (netNs <= 0) return this.settled(this.each(() => 0));
    const factors = slowFactors(plan);
    const [factor] = factors;
    if (factor !== undefined && isAtOnce(factors)) {
      const within = this.masses("late", { ...factor, atOnce: 1 }).within(netNs);
      return this.settled(within.map((share) => powerOfShares(share, 1 - share, factor.atOnce)));
    }
    const best = this.leastAtOnce(plan, netNs);
    let open = best.map((share) => share < 1 - WIDENING);
    if (this.bins > CHEAP_BINS && open.some(Boolean)) {
      const most = this.mostAtOnce(plan, netNs);
      open = open.map((isOpen, group) => isOpen && (most[group] ?? 0) > WIDENING);
    }
    const onGrid = (group: number): number => Math.max(best[group] ?? 0, this.leastOnGrid(factors, netNs, group));
    return { best, open, onGrid };
  }

  private most(plan: FixedPlan, netNs: number): Shares {
    if (netNs <= 0) return this.settled(this.each(() => (netNs < 0 ? 0 : 1)));
    const best = this.mostAtOnce(plan, netNs);
    let open = best.map((share) => share > WIDENING);
    if (this.bins > CHEAP_BINS && open.some(Boolean)) {
      const least = this.leastAtOnce(plan, netNs);
      open = open.map((isOpen, group) => isOpen && (least[group] ?? 0) < 1 - WIDENING);
    }
    const sums = fastFactors(plan).filter((factors) => !isAtOnce(factors));
    const onGrid = (group: number): number =>
      sums.reduce((share, factors) => {
        const [first] = factors;
        const clamped =
          first !== undefined && factors.length === 1 && 2 * termsOf(factors) > this.bins
            ? [{ ...first, times: Math.floor(this.bins / 2) }]
            : factors;
        const most = this.onGrid("early", clamped, levelOf(netNs), netNs, group) + wideningOf(factors);
        return Math.min(Math.max(Math.min(share, most), 0), 1);
      }, best[group] ?? 1);
    return { best, open, onGrid };
  }

  private each(share: (group: number) => number): readonly number[] {
    const [distributions] = this.distributions.values();
    return (distributions?.late.groups ?? []).map((_, group) => share(group));
  }

  private distributionsOf(operation: string): Distributions {
    const distributions = this.distributions.get(operation);
    if (distributions === undefined) throw new Error(`${operation} was not measured`);
    return distributions;
  }

  /** Treats pools as sequential, and applies Graham's bound if a pool is the only stage. */
  private leastAtOnce(plan: FixedPlan, netNs: number): readonly number[] {
    const inARow = plan.map(
      (stage): FixedStage =>
        effectiveOf(stage) === "pool" ? { ...stage, fan_out: 1, scheduling: "sequential" } : stage,
    );
    let best = this.leastByMoments(slowFactors(inARow), netNs);
    const only = onlyStageOf(plan);
    if (only !== undefined && effectiveOf(only) === "pool") best = larger(best, this.graham(only, netNs));
    return this.coarser === null ? best : larger(best, this.coarser.leastAtOnce(plan, netNs));
  }

  private mostAtOnce(plan: FixedPlan, netNs: number): readonly number[] {
    let best = this.cap(plan, netNs);
    for (const factors of fastFactors(plan))
      if (!isAtOnce(factors)) best = smaller(best, this.mostByMoments(factors, netNs));
    if (this.coarser !== null) best = smaller(best, this.coarser.mostAtOnce(plan, netNs));
    return best.map((share) => Math.min(Math.max(share, 0), 1));
  }

  /** Returns the share whose slowest operation is in time. No more transactions can be in time. */
  private cap(plan: FixedPlan, netNs: number): readonly number[] {
    return plan.reduce<readonly number[]>(
      (cap, { operation, count }) => {
        const under = this.distributionsOf(operation).early.under(netNs);
        return cap.map((share, group) => {
          const below = under[group] ?? 0;
          return share * powerOfShares(below, 1 - below, count);
        });
      },
      this.each(() => 1),
    );
  }

  /** Uses the grid level of the time; near its start also the next finer level, where rounding up costs less. */
  private leastOnGrid(factors: Factors, netNs: number, group: number): number {
    const terms = termsOf(factors);
    if (2 * terms > this.bins) return 0;
    const level = levelOf(netNs);
    let share = this.onGrid("late", factors, level, netNs, group);
    const finerNs = 2 ** (level - 1);
    if (level > LEVELS.least && (netNs - finerNs) * this.bins < terms * 2 ** level)
      share = Math.max(share, this.onGrid("late", factors, level - 1, finerNs, group));
    return Math.max(share - wideningOf(factors), 0);
  }

  private onGrid(side: Side, factors: Factors, level: number, timeNs: number, group: number): number {
    const column = Math.min(this.bins, Math.floor((timeNs * this.bins) / 2 ** level));
    const terms = factors
      .filter(({ times }) => times > 0)
      .map((factor) =>
        onColumns(this.masses(side, factor).groups[group] ?? NO_MASSES, factor.times, { side, level, bins: this.bins }),
      );
    return Math.min(Math.max(shareWithin(terms, this.bins, column), 0), 1);
  }

  private masses(side: Side, { operation, atOnce, shared }: Factor): Masses {
    return this.distributionsOf(operation)[side].slowestOf(atOnce).sharedBy(shared);
  }

  private leastByMoments(factors: Factors, netNs: number): readonly number[] {
    const distributions = factors.map((factor) => ({ times: factor.times, masses: this.masses("late", factor) }));
    const first = Math.max(...distributions.map(({ masses }) => masses.heldCeilings[0]));
    const last = Math.max(...distributions.map(({ masses }) => masses.heldCeilings[1]));
    return this.each((group) => {
      let best = 0;
      for (let at = first; at <= last && (CEILINGS_NS[at] ?? 0) <= netNs; at += 1) {
        let [inside, mean, variance, above] = [1, 0, 0, 0];
        for (const { times, masses } of distributions) {
          const held = masses.held()[group];
          const share = held?.share[at] ?? 0;
          inside *= powerOfShares(share, 1 - share, times);
          mean += times * (held?.mean[at] ?? 0);
          variance += times * (held?.variance[at] ?? 0);
          above = Math.max(above, held?.above[at] ?? 0);
        }
        best = Math.max(best, inside * (1 - bernstein(netNs - mean, variance, above)));
      }
      return best;
    });
  }

  /** Graham's bound for k workers: with operations up to c, a total work S ends within t if S ≤ k t − (k − 1) c. */
  private graham(stage: FixedStage, netNs: number): readonly number[] {
    const workers = Math.min(stage.fan_out, stage.count);
    return this.each((group) => {
      const held = this.distributionsOf(stage.operation).late.held()[group];
      let best = 0;
      for (const [at, ceiling] of CEILINGS_NS.entries()) {
        if (ceiling > netNs) break;
        const share = held?.share[at] ?? 0;
        const distance = workers * netNs - (workers - 1) * ceiling - stage.count * (held?.mean[at] ?? 0);
        const chance = bernstein(distance, stage.count * (held?.variance[at] ?? 0), held?.above[at] ?? 0);
        best = Math.max(best, powerOfShares(share, 1 - share, stage.count) * (1 - chance));
      }
      return best;
    });
  }

  private mostByMoments(factors: Factors, netNs: number): readonly number[] {
    const distributions = factors.map((factor) => ({ times: factor.times, masses: this.masses("early", factor) }));
    const first = Math.min(...distributions.map(({ masses }) => masses.cappedCeilings[0]));
    const last = Math.max(...distributions.map(({ masses }) => masses.cappedCeilings[1]));
    return this.each((group) => {
      let best = 1;
      for (let at = first; at <= last; at += 1) {
        let [mean, variance, under] = [0, 0, 0];
        for (const { times, masses } of distributions) {
          const capped = masses.capped()[group];
          mean += times * (capped?.mean[at] ?? 0);
          variance += times * (capped?.variance[at] ?? 0);
          under = Math.max(under, capped?.mean[at] ?? 0);
        }
        best = Math.min(best, bernstein(mean - netNs, variance, under));
      }
      return best;
    });
  }
}

const larger = (a: readonly number[], b: readonly number[]) => a.map((share, group) => Math.max(share, b[group] ?? 0));
const smaller = (a: readonly number[], b: readonly number[]) => a.map((share, group) => Math.min(share, b[group] ?? 1));

const isAtOnce = ([factor, ...others]: Factors): boolean =>
  others.length === 0 && factor?.times === 1 && factor.shared === 1;

/** Returns terms whose sum equals the plan's time; for a pool, is never less. */
function slowFactors(plan: FixedPlan): Factors {
  return plan.flatMap((stage): Factors => {
    const { operation, count } = stage;
    const effective = effectiveOf(stage);
    if (effective === "sequential") return [{ operation, atOnce: 1, shared: 1, times: count }];
    if (effective === "parallel") return [{ operation, atOnce: count, shared: 1, times: 1 }];
    const atOnce = stage.fan_out;
    const [full, rest] = batchSizes(count, atOnce);
    const last = { operation, atOnce: rest, shared: 1, times: 1 };
    return full > 0 ? [{ operation, atOnce, shared: 1, times: full }, last] : [last];
  });
}

/** Returns sums that never exceed the plan's time. Of a pool: an even share of its work, and its slowest operation. */
function fastFactors(plan: FixedPlan): readonly Factors[] {
  if (plan.every((stage) => effectiveOf(stage) !== "pool")) return [slowFactors(plan)];
  return [true, false].map((isShared) =>
    plan.flatMap((stage): Factors => {
      if (effectiveOf(stage) !== "pool") return slowFactors([stage]);
      const { operation, count, fan_out: workers } = stage;
      return [
        isShared
          ? { operation, atOnce: 1, shared: workers, times: count }
          : { operation, atOnce: count, shared: 1, times: 1 },
      ];
    }),
  );
}

/** Returns the exponent of the next power of two at or above the time, which is the length of the grid. */
function levelOf(netNs: number): number {
  let level = LEVELS.least;
  while (2 ** level < netNs && level < LEVELS.most) level += 1;
  return level;
}

const termsOf = (factors: Factors): number => factors.reduce((sum, { times }) => sum + times, 0);

const wideningOf = (factors: Factors): number => WIDENING * (2 + termsOf(factors) / 1000);

const ROUNDED = { late: Math.ceil, early: Math.floor, middle: Math.round };

const NO_MASSES: Group = { atNs: [], ratio: [] };

function onColumns(
  group: Group,
  times: number,
  { side, level, bins }: { readonly side: Side; readonly level: number; readonly bins: number },
): GridTerm {
  return {
    source: group,
    grid: `${side} ${level} ${bins}`,
    times,
    place: () => {
      const inside = group.atNs.filter((at) => at <= 2 ** level).length;
      const columns = Int32Array.from(group.atNs.slice(0, inside), (at) => ROUNDED[side](at * (bins / 2 ** level)));
      return { columns, shares: Float64Array.from(group.ratio.slice(0, inside)) };
    },
  };
}

/** Returns an upper bound on the probability that a sum is `distance` from its mean (Bernstein's inequality). */
function bernstein(distance: number, variance: number, furthest: number): number {
  if (distance <= 0) return 1;
  const spread = 2 * (variance + (furthest * distance) / 3);
  return Math.exp(-Math.min(spread > 0 ? distance ** 2 / spread : Number.POSITIVE_INFINITY, 700));
}
