// Distributions of an operation by group of slices, as point masses. `late` has each mass at the largest latency that
// the counts allow, `early` at the smallest. As in backend/src/tailroom/domain/transactions/group_distributions.py.
// Shares that sum to less than 1 mean that the rest never ends.
import { place } from "./counts";

/** Times in nanoseconds at which latencies are cut off for bounds by moments; equal for all questions. */
export const CEILINGS_NS: readonly number[] = Array.from({ length: 38 }, (_, power) => 2 ** (power + 8));
const LAST_DIGITS = 1e-13;

/** Returns P(all `count` operations are below), with `below` = 1 − `over`. Accurate for tiny `over`. */
export function powerOfShares(below: number, over: number, count: number): number {
  return over < 0.5 ? Math.exp(count * Math.log1p(-Math.min(Math.max(over, 0), 0.5))) : Math.max(below, 0) ** count;
}

export type Group = { readonly atNs: readonly number[]; readonly ratio: readonly number[] };

/** Returns a function that calculates its value once. */
function once<Value>(calculate: () => Value): () => Value {
  let result: { readonly value: Value } | undefined;
  return () => {
    result ??= { value: calculate() };
    return result.value;
  };
}

export class Masses {
  readonly held = once(() => this.sums().map(massesBelow));
  readonly capped = once(() => this.sums().map((sums, group) => momentsCapped(sums, this.totals()[group] ?? 0)));
  private readonly running = once(() => this.groups.map(({ ratio }) => runningOf(ratio)));
  private readonly totals = once(() => this.groups.map(({ ratio }) => ratio.reduce((sum, share) => sum + share, 0)));
  private readonly sums = once(() => this.groups.map(sumsOf));
  private readonly slowest = new Map<number, Masses>();
  private readonly shared = new Map<number, Masses>();

  /** `isContinuous`: latencies are in `[at, …)`, so an early mass exactly at a limit is not under it. */
  constructor(
    readonly groups: readonly Group[],
    readonly isContinuous: boolean,
  ) {}

  /** Returns the distribution with every latency divided by `workers`. */
  sharedBy(workers: number): Masses {
    if (workers === 1) return this;
    return this.remembered(this.shared, workers, ({ atNs, ratio }) => ({
      atNs: atNs.map((at) => at / workers),
      ratio,
    }));
  }

  /** Returns the distribution of the slowest of `count` operations, for each group. */
  slowestOf(count: number): Masses {
    if (count === 1) return this;
    return this.remembered(this.slowest, count, ({ atNs }, group) => {
      let before = 0;
      const ratio = (this.running()[group] ?? []).slice(1).map((sum) => {
        const below = Math.min(Math.max(sum, 0), 1);
        const over = 1 - below < LAST_DIGITS ? 0 : 1 - below;
        const reached = powerOfShares(below, over, count);
        const share = Math.max(reached - before, 0);
        before = reached;
        return share;
      });
      return { atNs, ratio };
    });
  }

  private remembered(all: Map<number, Masses>, key: number, make: (group: Group, index: number) => Group): Masses {
    const masses = all.get(key) ?? new Masses(this.groups.map(make), this.isContinuous);
    all.set(key, masses);
    return masses;
  }

  /** Returns the share of each group at or below a limit. */
  within(limitNs: number, isStrict = false): readonly number[] {
    return this.groups.map(({ atNs }, group) => {
      const inside = place(atNs.length, (at) => (isStrict ? (atNs[at] ?? 0) < limitNs : (atNs[at] ?? 0) <= limitNs));
      return Math.min(Math.max(this.running()[group]?.[inside] ?? 0, 0), 1);
    });
  }

  /** Returns the largest share within a limit; for continuous latencies, strictly below it. */
  under(limitNs: number): readonly number[] {
    return this.within(limitNs, this.isContinuous);
  }

  /** First and last ceiling index at which `held` differs. */
  get heldCeilings(): readonly [number, number] {
    const filled = this.groups.filter(({ atNs }) => atNs.length > 0);
    if (filled.length === 0) return [0, -1];
    const first = Math.min(...filled.map(({ atNs }) => atNs[0] ?? 0));
    const last = Math.max(...filled.map(({ atNs }) => atNs.at(-1) ?? 0));
    return [ceilingAt(first), Math.min(ceilingAt(last), CEILINGS_NS.length - 1)];
  }

  /** First and last ceiling index for `capped`. Below all masses, the highest ceiling gives the tightest bound. */
  get cappedCeilings(): readonly [number, number] {
    const [first, last] = this.heldCeilings;
    const isIncomplete = this.totals().some((total) => 1 - total > 0);
    return [Math.max(0, first - 1), last < 0 || isIncomplete ? CEILINGS_NS.length - 1 : last];
  }
}

const ceilingAt = (timeNs: number): number => place(CEILINGS_NS.length, (at) => (CEILINGS_NS[at] ?? 0) < timeNs);

function runningOf(values: readonly number[]): readonly number[] {
  const sums = [0];
  let sum = 0;
  for (const value of values) {
    sum += value;
    sums.push(sum);
  }
  return sums;
}

/** Returns the sums of mass, mass × time and mass × time² at or below each ceiling, and the largest time. */
function sumsOf({ atNs, ratio }: Group) {
  const inside = CEILINGS_NS.map((ceiling) => place(atNs.length, (at) => (atNs[at] ?? 0) <= ceiling));
  const at = (sums: readonly number[]): readonly number[] => inside.map((count) => sums[count] ?? 0);
  return {
    share: at(runningOf(ratio)),
    first: at(runningOf(ratio.map((share, mass) => share * (atNs[mass] ?? 0)))),
    second: at(runningOf(ratio.map((share, mass) => share * (atNs[mass] ?? 0) ** 2))),
    highest: at([0, ...atNs]),
  };
}

/** Returns the masses at or below each ceiling: their share, mean, variance, and largest excess over the mean. */
function massesBelow({ share, first, second, highest }: ReturnType<typeof sumsOf>) {
  const held = share.map((sum) => Math.min(sum, 1));
  const weight = held.map((sum) => (sum > 0 ? sum : 1));
  const mean = first.map((sum, at) => sum / (weight[at] ?? 1));
  return {
    share: held,
    mean,
    variance: second.map((sum, at) => varianceOf(sum / (weight[at] ?? 1), mean[at] ?? 0)),
    above: highest.map((time, at) => Math.max(0, time - (mean[at] ?? 0))),
  };
}

/** Returns mean and variance with masses above each ceiling moved to it. */
function momentsCapped({ share, first, second }: ReturnType<typeof sumsOf>, total: number) {
  const over = share.map((sum) => Math.max(1, total) - sum);
  const mean = first.map((sum, at) => sum + (over[at] ?? 0) * (CEILINGS_NS[at] ?? 0));
  return {
    mean,
    variance: second.map((sum, at) => varianceOf(sum + (over[at] ?? 0) * (CEILINGS_NS[at] ?? 0) ** 2, mean[at] ?? 0)),
  };
}

/** Adds the rounding error of the difference of squares, so that the variance is never too small. */
const varianceOf = (squared: number, mean: number): number => Math.max(0, squared - mean ** 2) + LAST_DIGITS * squared;
