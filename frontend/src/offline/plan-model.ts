// Models a transaction by its single operations, independent within each group of slices, as in
// backend/src/tailroom/domain/verdicts/plan_model.py. The backend formed the groups from all slices when it created the
// page.
import {
  type BlockCounts,
  blocksOfWhole,
  divergence,
  FEWEST_BLOCKS,
  independentBlocks,
  nextSize,
  shareLimits,
  smallerSizes,
} from "./blocks";
import { totalOf } from "./counts";
import type { Cells, GroupCells, GroupsOfSlices, ModelPart, SliceModel, TransactionsQuestion } from "./evidence";
import type { Bounds } from "./judgement";
import { type Group, Masses } from "./masses";
import { type Distributions, PlanBounds } from "./plan-bounds";
import { certainCounts, type FixedPlan, largestCountOf, onlyStageOf, overheadOf, type Plan, withCount } from "./plans";

const FULL_BINS = 1 << 17;
const OPERATIONS_FOR_EACH = 40;
const MOST_SMALLER_PLANS = 16;
const COARSE_WIDTH = 0.02;

/** Groups of slices of one length. The whole run is one group of one slice. */
type Level = Omit<GroupsOfSlices, "cells" | "coarser"> & { readonly bounds: PlanBounds };

export type ModelAnswer = {
  /** Share in time: bounds in this run, and with confidence for the next run. */
  readonly observed: Bounds;
  readonly confident: Bounds;
  /** Number of disjoint blocks with as many operations as a transaction. */
  readonly blocks: number;
  /** Returns an estimate between the bounds, which decides nothing. */
  readonly estimate: () => number;
};

/** Operations of a plan: the name in its stages, their buckets, and their part of the model. */
export type Counted = readonly { readonly name: string; readonly cells: Cells; readonly part: ModelPart }[];

/** Returns the bounds of a plan by the model. */
export function modelAnswer(counted: Counted, model: SliceModel, question: TransactionsQuestion): ModelAnswer {
  const { plan, window_ns: windowNs } = question;
  const operations = largestCountOf(plan);
  const bins = Math.min(FULL_BINS, model.most_steps);
  const names = counted.map(({ name }) => name);
  const wholeRecord = wholeLevel(counted, bins);
  const levels = [model.shorter, model.groups].flatMap((groups) =>
    groups === null ? [] : [levelOf(groups, names, bins)],
  );
  const main = levels.find((level) => level.operations_of_a_piece >= operations * OPERATIONS_FOR_EACH);
  const leading = main ?? levels.at(-1) ?? wholeRecord;
  const ladder = [leading, ...[...levels, wholeRecord].filter((level) => level !== leading)].sort(
    (a, b) => a.operations_of_a_piece - b.operations_of_a_piece,
  );
  const guaranteed = (level: Level): number => (level === wholeRecord ? meanGuarantee(counted, question) : 0);
  const lower = Math.min(
    ...supportedLevels(ladder, operations).map((level) =>
      Math.max(inside(level, level.bounds.lower(plan, windowNs)), guaranteed(level)),
    ),
  );
  const scales = ladder.filter(({ pieces }) => pieces > 1);
  const upperOf = (smaller: Plan): number =>
    Math.max(
      ...(scales.length > 0 ? scales : ladder).map((level) =>
        Math.min(1, inside(level, level.bounds.upper(smaller, windowNs)) + level.outside),
      ),
    );
  const upper = Math.max(lower, upperOf(plan));
  const wholes = counted.map(({ cells }) => blocksOfWhole(totalOf(cells)));
  const blocks = levels.length > 0 ? counted.map(({ part }) => part) : wholes;
  return {
    observed: { lower, upper },
    confident: confidentOf({ lower, upper }, question, {
      blocksOf: (smaller, sizeOf) => fewestBlocks(smaller, names, blocks, sizeOf),
      upperOf,
    }),
    blocks: Math.floor(fewestBlocks(plan, names, wholes)),
    estimate: () => {
      const low = leading.bounds.lower(plan, windowNs);
      const high = leading.bounds.upper(plan, windowNs).map((share, group) => Math.max(share, low[group] ?? 0));
      const share = inside(leading, leading.bounds.estimate(plan, windowNs, low, high));
      return Math.min(Math.max(share + leading.outside * share, lower), upper);
    },
  };
}

/** Returns the smallest number of independent disjoint blocks of any operation in a plan. */
function fewestBlocks(
  plan: Plan,
  names: readonly string[],
  blocks: readonly BlockCounts[],
  sizeOf: (operations: number) => number = (operations) => operations,
): number {
  const counts = names.map((name) => largestCountOf(plan.filter(({ operation }) => operation === name)));
  return Math.min(...blocks.map((of, at) => independentBlocks(of, sizeOf(counts[at] ?? 1))));
}

type Confidence = {
  readonly blocksOf: (plan: Plan, sizeOf?: (operations: number) => number) => number;
  readonly upperOf: (plan: Plan) => number;
};

/** Returns confidence limits from blocks. A FAIL proven for fewer operations also applies to more. */
function confidentOf(
  { lower, upper }: Bounds,
  { plan, objective }: TransactionsQuestion,
  { blocksOf, upperOf }: Confidence,
): Bounds {
  const independent = blocksOf(plan);
  const [least] = shareLimits(lower, upper, independent);
  const ofLonger = Math.max(FEWEST_BLOCKS, blocksOf(plan, nextSize));
  let [, most] = shareLimits(lower, upper, Math.min(independent, ofLonger));
  const stage = onlyStageOf(plan);
  if (upper < objective && objective <= most && stage !== undefined) {
    for (const count of smallerSizes(stage.count).slice(0, MOST_SMALLER_PLANS)) {
      const fewer = [withCount(stage, count)];
      const share = Math.max(upper, upperOf(fewer));
      if (share >= objective || most < objective) break;
      most = Math.min(most, shareLimits(0, share, blocksOf(fewer))[1]);
    }
  }
  return { lower: Math.min(least, lower), upper: Math.max(most, upper) };
}

/** Returns the levels up to the shortest slices with enough operations for a plan. */
function supportedLevels(ladder: readonly Level[], operations: number): readonly Level[] {
  const enough = ladder.findIndex((level) => operations * OPERATIONS_FOR_EACH <= level.operations_of_a_piece);
  return enough < 0 ? ladder : ladder.slice(0, enough + 1);
}

const inside = ({ outside, weights }: Level, byGroup: readonly number[]): number =>
  (1 - outside) *
  Math.min(
    1,
    weights.reduce((sum, weight, group) => sum + weight * (byGroup[group] ?? 0), 0),
  );

/** Returns the least share within the window by means and largest latencies (domain/transactions/guarantees.py). */
function meanGuarantee(counted: Counted, { plan, window_ns: windowNs }: TransactionsQuestion): number {
  if (counted.some(({ part }) => part.mean_upper_ns === null)) return 0;
  return (certainCounts(plan) ?? []).reduce(
    (sum, [fixed, weight]) => sum + weight * guaranteeOf(fixed, counted, windowNs - overheadOf(fixed)),
    0,
  );
}

function guaranteeOf(plan: FixedPlan, counted: Counted, netNs: number): number {
  if (netNs <= 0) return 0;
  let [count, expectedNs, answered, largestNs] = [0, 0, 1, 0];
  for (const stage of plan) {
    const operation = counted.find(({ name }) => name === stage.operation);
    if (operation === undefined) return 0;
    count += stage.count;
    expectedNs += stage.count * (operation.part.mean_upper_ns ?? 0);
    answered *= (1 - operation.cells.misses / totalOf(operation.cells)) ** stage.count;
    largestNs = Math.max(largestNs, largestOf(operation.cells));
  }
  const [byMean, mostNs] = [Math.min(1, expectedNs / netNs), count * largestNs];
  if (mostNs <= netNs) return answered;
  if (byMean >= 1 || mostNs === Number.POSITIVE_INFINITY) return answered * (1 - byMean);
  const exponent = count * divergence(netNs / mostNs, expectedNs / mostNs);
  return answered * (1 - Math.min(byMean, Math.exp(-exponent)));
}

/** Returns the largest latency that the buckets allow; infinite if the last bucket is unlimited. */
function largestOf({ lower_ns, upper_ns }: Cells): number {
  const [lower = 0, upper = 0] = [lower_ns.at(-1), upper_ns.at(-1)];
  if (upper === null) return Number.POSITIVE_INFINITY;
  return upper - lower === 1 ? lower : upper;
}

type Cell = { readonly lower: number; readonly upper: number | null; readonly ratio: number };

const levelsOfRecord = new WeakMap<object, Map<string, Level>>();

/** Returns the cached level of a group set for a grid; computes and stores it if missing. */
function cachedLevel(record: object, bins: number, names: readonly string[], make: () => Level): Level {
  const levels = levelsOfRecord.get(record) ?? new Map<string, Level>();
  levelsOfRecord.set(record, levels);
  const key = JSON.stringify([bins, names]);
  const level = levels.get(key) ?? make();
  levels.set(key, level);
  return level;
}

const named = (names: readonly string[], distributions: readonly Distributions[]): ReadonlyMap<string, Distributions> =>
  new Map(distributions.map((of, at) => [names[at] ?? "", of]));

const levelOf = (groups: GroupsOfSlices, names: readonly string[], bins: number): Level =>
  cachedLevel(groups, bins, names, () => ({
    ...groups,
    bounds: new PlanBounds(
      named(names, groups.cells.map(distributionsOf)),
      bins,
      groups.coarser === null ? null : new PlanBounds(named(names, groups.coarser.map(distributionsOf)), bins, null),
    ),
  }));

const distributionsOf = (groups: readonly GroupCells[]): Distributions =>
  distributionsOfCells(groups.map(cellsOf), (cells) => cells.map(middleOf), true);

function distributionsOfCells(
  groups: readonly (readonly Cell[])[],
  middles: (cells: readonly Cell[]) => readonly number[],
  isContinuous: boolean,
): Distributions {
  const middle = groups.map((cells) => ({ atNs: middles(cells), ratio: cells.map(({ ratio }) => ratio) }));
  return {
    late: new Masses(groups.map(upperEdges), isContinuous),
    early: new Masses(groups.map(lowerEdges), isContinuous),
    middle: new Masses(middle, isContinuous),
  };
}

function cellsOf({ gaps, widths, counts, total }: GroupCells): readonly Cell[] {
  let end = 0;
  return counts.map((count, at) => {
    const lower = end + (gaps[at] ?? 0);
    const width = widths[at] ?? null;
    end = lower + (width ?? 0);
    return { lower, upper: width === null ? null : end, ratio: count / total };
  });
}

const lowerEdges = (cells: readonly Cell[]): Group => ({
  atNs: cells.map(({ lower }) => lower),
  ratio: cells.map(({ ratio }) => ratio),
});

function upperEdges(cells: readonly Cell[]): Group {
  const closed = cells.filter(({ upper }) => upper !== null);
  return { atNs: closed.map(({ upper }) => upper ?? 0), ratio: closed.map(({ ratio }) => ratio) };
}

/** Returns the middle of a bucket; for a wide bucket, its log-uniform mean. */
function middleOf({ lower, upper }: Cell): number {
  const high = upper ?? 2 * Math.max(lower, 1);
  const isCoarse = lower > 0 && high - lower > COARSE_WIDTH * high;
  return isCoarse ? (high - lower) / Math.log(high / lower) : (lower + high) / 2;
}

/** Returns the whole run as one group. Of several operations, any may be at its best: only a single one is cached. */
function wholeLevel(counted: Counted, bins: number): Level {
  const [first, ...others] = counted;
  const names = counted.map(({ name }) => name);
  const make = (): Level => ({
    bounds: new PlanBounds(named(names, counted.map(wholeRunDistributions)), bins, null),
    weights: [1],
    pieces: 1,
    outside: 0,
    operations_of_a_piece: Number.POSITIVE_INFINITY,
  });
  return first === undefined || others.length > 0 ? make() : cachedLevel(first.cells, bins, names, make);
}

/** Returns the distributions of a whole run. A bucket of one nanosecond is an exact latency. */
function wholeRunDistributions({ cells, part }: Counted[number]): Distributions {
  const total = totalOf(cells);
  const all = cells.counts.map((count, at) => {
    const [lower = 0, upper = null] = [cells.lower_ns[at], cells.upper_ns[at]];
    return { lower, upper: upper !== null && upper - lower === 1 ? lower : upper, ratio: count / total };
  });
  const isContinuous = all.some(({ lower, upper }) => lower !== upper);
  return distributionsOfCells([all], () => representatives(all, cells.counts, part.sum_ns), isContinuous);
}

/** Returns a latency for each bucket. All are shifted so that their sum equals the exact sum, if it is known. */
function representatives(cells: readonly Cell[], counts: readonly number[], sumNs: number | null): readonly number[] {
  const middle = cells.map((cell) => (cell.lower === cell.upper ? cell.lower : middleOf(cell)));
  if (sumNs === null || cells.some(({ upper }) => upper === null)) return middle;
  const added = (values: readonly number[]): number =>
    values.reduce((sum, value, at) => sum + value * (counts[at] ?? 0), 0);
  const gap = sumNs - added(middle);
  const room = cells.map(({ lower, upper }, at) => {
    const value = middle[at] ?? 0;
    return gap > 0 ? (upper ?? value) - value : value - lower;
  });
  const reach = added(room);
  const share = reach > 0 ? Math.min(1, Math.abs(gap) / reach) : 0;
  return middle.map((value, at) => value + Math.sign(gap) * share * (room[at] ?? 0));
}
