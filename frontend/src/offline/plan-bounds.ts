// Bounds of the share of transactions that end within a time, group by group: the tighter of bounds by moments (Bernstein) and of sums on a
// grid, as backend/src/tailroom/domain/transactions/plan_bounds.py, whose comments say why each of them holds.
import { type GridTerm, shareWithin } from "./fourier";
import { CEILINGS_NS, type Group, type Masses, powerOfShares } from "./masses";
import { effectiveOf, type Stage, waveSizes } from "./plans";

const WIDENING = 1e-8;
const LEVELS = { least: 4, most: 46 };
const CHEAP_BINS = 1 << 14;
const ESTIMATE_BINS = 1 << 14;

export type Laws = { readonly late: Masses; readonly early: Masses; readonly middle: Masses };
type Side = keyof Laws;
/** `times` independent terms: the slowest of `atOnce` operations, their latency shared by workers. */
type Factor = { readonly atOnce: number; readonly shared: number; readonly times: number };
type Factors = readonly Factor[];

export class PlanBounds {
  /** `coarser`: the same groups in wider buckets, which never give narrower bounds. */
  constructor(
    private readonly laws: Laws,
    private readonly bins: number,
    private readonly coarser: PlanBounds | null,
  ) {}

  /** The least share of each group's transactions within a time. */
  lower(stage: Stage, timeNs: number): readonly number[] {
    const netNs = timeNs - stage.overhead_ns;
    if (netNs <= 0) return this.each(() => 0);
    const factors = slowFactors(stage);
    const [factor] = factors;
    if (factor !== undefined && isAtOnce(factors))
      return this.laws.late.within(netNs).map((share) => powerOfShares(share, 1 - share, factor.atOnce));
    const best = this.leastAtOnce(stage, netNs);
    let open = best.map((share) => share < 1 - WIDENING);
    if (this.bins > CHEAP_BINS && open.some(Boolean)) {
      const most = this.mostAtOnce(stage, netNs);
      open = open.map((isOpen, group) => isOpen && (most[group] ?? 0) > WIDENING);
    }
    return best.map((share, group) =>
      Math.min(1, open[group] ? Math.max(share, this.leastOnGrid(factors, netNs, group)) : share),
    );
  }

  /** The largest share of each group's transactions within a time. */
  upper(stage: Stage, timeNs: number): readonly number[] {
    const netNs = timeNs - stage.overhead_ns;
    if (netNs <= 0) return this.each(() => (netNs < 0 ? 0 : 1));
    const best = [...this.mostAtOnce(stage, netNs)];
    let open = best.map((share) => share > WIDENING);
    if (this.bins > CHEAP_BINS && open.some(Boolean)) {
      const least = this.leastAtOnce(stage, netNs);
      open = open.map((isOpen, group) => isOpen && (least[group] ?? 0) < 1 - WIDENING);
    }
    for (const factors of fastFactors(stage)) {
      if (isAtOnce(factors)) continue;
      const terms = factors.reduce((sum, { times }) => sum + times, 0);
      const [first] = factors;
      const clamped =
        first !== undefined && factors.length === 1 && 2 * terms > this.bins
          ? [{ ...first, times: Math.floor(this.bins / 2) }]
          : factors;
      for (const [group, isOpen] of open.entries()) {
        if (!isOpen) continue;
        const onGrid = this.onGrid("early", clamped, levelOf(netNs), netNs, group) + wideningOf(factors);
        best[group] = Math.min(best[group] ?? 1, onGrid);
      }
    }
    return best.map((share) => Math.min(Math.max(share, 0), 1));
  }

  /** An estimate between the bounds, for a pool their middle; it decides nothing. */
  estimate(stage: Stage, timeNs: number, lower: readonly number[], upper: readonly number[]): readonly number[] {
    const between = (share: number, group: number): number =>
      Math.min(Math.max(share, lower[group] ?? 0), upper[group] ?? 1);
    const netNs = timeNs - stage.overhead_ns;
    if (effectiveOf(stage) === "pool") return this.each((group) => ((lower[group] ?? 0) + (upper[group] ?? 1)) / 2);
    if (netNs <= 0) return lower.map(() => 0).map(between);
    const factors = slowFactors(stage);
    if (isAtOnce(factors)) return this.laws.middle.slowestOf(stage.count).within(netNs).map(between);
    const coarse = new PlanBounds(this.laws, Math.min(this.bins, ESTIMATE_BINS), null);
    return this.each((group) => {
      const [low = 0, high = 1] = [lower[group], upper[group]];
      return high - low > WIDENING ? coarse.onGrid("middle", factors, levelOf(netNs), netNs, group) : low;
    }).map(between);
  }

  private each(share: (group: number) => number): readonly number[] {
    return this.laws.late.groups.map((_, group) => share(group));
  }

  private leastAtOnce(stage: Stage, netNs: number): readonly number[] {
    const isPool = effectiveOf(stage) === "pool";
    const inARow: Stage = isPool ? { ...stage, fan_out: 1, scheduling: "sequential" } : stage;
    let best = this.leastByMoments(slowFactors(inARow), netNs);
    if (isPool) best = larger(best, this.graham(stage, netNs));
    return this.coarser === null ? best : larger(best, this.coarser.leastAtOnce(stage, netNs));
  }

  private mostAtOnce(stage: Stage, netNs: number): readonly number[] {
    let best = this.laws.early.under(netNs).map((below) => powerOfShares(below, 1 - below, stage.count));
    for (const factors of fastFactors(stage))
      if (!isAtOnce(factors)) best = smaller(best, this.mostByMoments(factors, netNs));
    if (this.coarser !== null) best = smaller(best, this.coarser.mostAtOnce(stage, netNs));
    return best.map((share) => Math.min(Math.max(share, 0), 1));
  }

  /** On the level of the time; near its start also on the finer level below, where rounding up costs less. */
  private leastOnGrid(factors: Factors, netNs: number, group: number): number {
    const terms = factors.reduce((sum, { times }) => sum + times, 0);
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
        onColumns(this.masses(side, factor).groups[group], factor.times, { side, level, bins: this.bins }),
      );
    return Math.min(Math.max(shareWithin(terms, this.bins, column), 0), 1);
  }

  private masses(side: Side, { atOnce, shared }: Factor): Masses {
    return this.laws[side].slowestOf(atOnce).sharedBy(shared);
  }

  private leastByMoments(factors: Factors, netNs: number): readonly number[] {
    const laws = factors.map((factor) => ({ times: factor.times, masses: this.masses("late", factor) }));
    const first = Math.max(...laws.map(({ masses }) => masses.heldCeilings[0]));
    const last = Math.max(...laws.map(({ masses }) => masses.heldCeilings[1]));
    return this.each((group) => {
      let best = 0;
      for (let at = first; at <= last && (CEILINGS_NS[at] ?? 0) <= netNs; at += 1) {
        let [inside, mean, variance, above] = [1, 0, 0, 0];
        for (const { times, masses } of laws) {
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

  /** With every operation at most c, a time is kept if S ≤ k t − (k − 1) c (Graham). */
  private graham(stage: Stage, netNs: number): readonly number[] {
    const workers = Math.min(stage.fan_out, stage.count);
    return this.each((group) => {
      const held = this.laws.late.held()[group];
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
    const laws = factors.map((factor) => ({ times: factor.times, masses: this.masses("early", factor) }));
    const first = Math.min(...laws.map(({ masses }) => masses.cappedCeilings[0]));
    const last = Math.max(...laws.map(({ masses }) => masses.cappedCeilings[1]));
    return this.each((group) => {
      let best = 1;
      for (let at = first; at <= last; at += 1) {
        let [mean, variance, under] = [0, 0, 0];
        for (const { times, masses } of laws) {
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

/** Terms whose sum is the plan's time, or for a pool never less than it. */
function slowFactors(stage: Stage): Factors {
  const effective = effectiveOf(stage);
  if (effective === "sequential") return [{ atOnce: 1, shared: 1, times: stage.count }];
  if (effective === "parallel") return [{ atOnce: stage.count, shared: 1, times: 1 }];
  // A pool ends no later than waves of the largest power of two up to its size.
  const atOnce = effective === "pool" ? 2 ** Math.floor(Math.log2(stage.fan_out)) : stage.fan_out;
  const [full, rest] = waveSizes(stage.count, atOnce);
  const last = { atOnce: rest, shared: 1, times: 1 };
  return full > 0 ? [{ atOnce, shared: 1, times: full }, last] : [last];
}

/** Sums that are never more than the plan's time: of a pool an even share of the work, and its slowest operation. */
function fastFactors(stage: Stage): readonly Factors[] {
  if (effectiveOf(stage) !== "pool") return [slowFactors(stage)];
  return [[{ atOnce: 1, shared: stage.fan_out, times: stage.count }], [{ atOnce: stage.count, shared: 1, times: 1 }]];
}

/** The level of the grid of a time: the next power of two at or over it. */
function levelOf(netNs: number): number {
  let level = LEVELS.least;
  while (2 ** level < netNs && level < LEVELS.most) level += 1;
  return level;
}

const wideningOf = (factors: Factors): number =>
  WIDENING * (2 + factors.reduce((sum, { times }) => sum + times, 0) / 1000);

const ROUNDED = { late: Math.ceil, early: Math.floor, middle: Math.round };

function onColumns(
  group: Group | undefined,
  times: number,
  { side, level, bins }: { readonly side: Side; readonly level: number; readonly bins: number },
): GridTerm {
  const { atNs, ratio } = group ?? { atNs: [], ratio: [] };
  const inside = atNs.filter((at) => at <= 2 ** level).length;
  const columns = Int32Array.from(atNs.slice(0, inside), (at) => ROUNDED[side](at * (bins / 2 ** level)));
  return { columns, shares: Float64Array.from(ratio.slice(0, inside)), times };
}

/** The largest chance that a sum lies that far from its mean (Bernstein's inequality). */
function bernstein(distance: number, variance: number, furthest: number): number {
  if (distance <= 0) return 1;
  const spread = 2 * (variance + (furthest * distance) / 3);
  return Math.exp(-Math.min(spread > 0 ? distance ** 2 / spread : Number.POSITIVE_INFINITY, 700));
}
