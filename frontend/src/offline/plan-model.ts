// The model of a transaction from its single operations: independent inside each group of slices, as
// backend/src/tailroom/domain/verdicts/plan_model.py. The groups themselves were formed from every slice when the page was made.
import {
  type BlockCounts,
  blocksOfWhole,
  FEWEST_BLOCKS,
  independentBlocks,
  nextSize,
  shareLimits,
  smallerSizes,
} from "./blocks";
import { totalOf } from "./counts";
import type { Cells, GroupCells, GroupsOfSlices, SliceModel } from "./evidence";
import type { Bounds } from "./judgement";
import { type Group, Masses } from "./masses";
import { type Laws, PlanBounds } from "./plan-bounds";
import { type Stage, withCount } from "./plans";

const FULL_BINS = 1 << 17;
const OPERATIONS_FOR_EACH = 40;
const MOST_SMALLER_PLANS = 16;
const COARSE_WIDTH = 0.02;

/** Groups of slices of one length; the whole record is one group of one slice. */
type Level = {
  readonly bounds: PlanBounds;
  readonly weights: readonly number[];
  readonly pieces: number;
  readonly outside: number;
  readonly operationsOfAPiece: number;
};

export type ModelAnswer = {
  /** The share in time in this run, and with confidence for the next one. */
  readonly observed: Bounds;
  readonly confident: Bounds;
  /** Disjoint blocks of operations, each as many as a transaction has. */
  readonly blocks: number;
  /** An estimate between the bounds, which decides nothing. */
  readonly estimate: () => number;
};

export type PlanQuestion = { readonly stage: Stage; readonly windowNs: number; readonly objective: number };

/** Return what the model says of a plan. */
export function modelAnswer(cells: Cells, model: SliceModel, question: PlanQuestion): ModelAnswer {
  const { stage, windowNs } = question;
  const bins = Math.min(FULL_BINS, model.most_steps);
  const whole = wholeLevel(cells, model, bins);
  const levels = [model.shorter, model.groups].flatMap((groups) => (groups === null ? [] : [levelOf(groups, bins)]));
  const main = levels.find(({ operationsOfAPiece }) => operationsOfAPiece >= stage.count * OPERATIONS_FOR_EACH);
  const leading = main ?? levels.at(-1) ?? whole;
  const ladder = [leading, ...[...levels, whole].filter((level) => level !== leading)].sort(
    (a, b) => a.operationsOfAPiece - b.operationsOfAPiece,
  );
  const guaranteed = (level: Level): number => (level === whole ? meanGuarantee(cells, model, question) : 0);
  const lower = Math.min(
    ...bearing(ladder, stage.count).map((level) =>
      Math.max(inside(level, level.bounds.lower(stage, windowNs)), guaranteed(level)),
    ),
  );
  const scales = ladder.filter(({ pieces }) => pieces > 1);
  const upperOf = (plan: Stage): number =>
    Math.max(
      ...(scales.length > 0 ? scales : ladder).map((level) =>
        Math.min(1, inside(level, level.bounds.upper(plan, windowNs)) + level.outside),
      ),
    );
  const upper = Math.max(lower, upperOf(stage));
  const total = totalOf(cells);
  const blocks: BlockCounts =
    levels.length > 0
      ? { sizes: model.slice_totals[0], slices: model.slice_totals[1], factors: model.block_factors }
      : blocksOfWhole(total);
  return {
    observed: { lower, upper },
    confident: confidentOf({ lower, upper }, question, { blocks, upperOf }),
    blocks: Math.floor(independentBlocks(blocksOfWhole(total), stage.count)),
    estimate: () => {
      const low = leading.bounds.lower(stage, windowNs);
      const high = leading.bounds.upper(stage, windowNs).map((share, group) => Math.max(share, low[group] ?? 0));
      const share = inside(leading, leading.bounds.estimate(stage, windowNs, low, high));
      return Math.min(Math.max(share + leading.outside * share, lower), upper);
    },
  };
}

/** Limits from blocks. A miss that is proven for fewer operations holds for more as well. */
function confidentOf(
  { lower, upper }: Bounds,
  { stage, objective }: PlanQuestion,
  { blocks, upperOf }: { readonly blocks: BlockCounts; readonly upperOf: (plan: Stage) => number },
): Bounds {
  const independent = independentBlocks(blocks, stage.count);
  const [least] = shareLimits(lower, upper, independent);
  const ofLonger = Math.max(FEWEST_BLOCKS, independentBlocks(blocks, nextSize(stage.count)));
  let [, most] = shareLimits(lower, upper, Math.min(independent, ofLonger));
  if (upper < objective && objective <= most) {
    for (const count of smallerSizes(stage.count).slice(0, MOST_SMALLER_PLANS)) {
      const share = Math.max(upper, upperOf(withCount(stage, count)));
      if (share >= objective || most < objective) break;
      most = Math.min(most, shareLimits(0, share, independentBlocks(blocks, count))[1]);
    }
  }
  return { lower: Math.min(least, lower), upper: Math.max(most, upper) };
}

/** The levels up to the shortest slices that hold enough operations for a plan. */
function bearing(ladder: readonly Level[], operations: number): readonly Level[] {
  const enough = ladder.findIndex(({ operationsOfAPiece }) => operations * OPERATIONS_FOR_EACH <= operationsOfAPiece);
  return enough < 0 ? ladder : ladder.slice(0, enough + 1);
}

const inside = ({ outside, weights }: Level, byGroup: readonly number[]): number =>
  (1 - outside) *
  Math.min(
    1,
    weights.reduce((sum, weight, group) => sum + weight * (byGroup[group] ?? 0), 0),
  );

/** The least share that keeps the window by the mean alone: no scheduling takes longer than the sum (Markov). */
function meanGuarantee(cells: Cells, model: SliceModel, { stage, windowNs }: PlanQuestion): number {
  const netNs = windowNs - stage.overhead_ns;
  if (netNs <= 0 || model.mean_upper_ns === null) return 0;
  const answered = 1 - cells.misses / totalOf(cells);
  return answered ** stage.count * Math.max(0, 1 - (stage.count * model.mean_upper_ns) / netNs);
}

type Cell = { readonly lower: number; readonly upper: number | null; readonly ratio: number };

const levelsOfRecord = new WeakMap<object, Map<number, Level>>();

/** Return what was made of a record for a grid, so that the next question uses it again. */
function remembered(record: object, bins: number, make: () => Level): Level {
  const levels = levelsOfRecord.get(record) ?? new Map<number, Level>();
  levelsOfRecord.set(record, levels);
  const level = levels.get(bins) ?? make();
  levels.set(bins, level);
  return level;
}

const levelOf = (groups: GroupsOfSlices, bins: number): Level =>
  remembered(groups, bins, () => ({
    bounds: new PlanBounds(
      lawsOf(groups.cells),
      bins,
      groups.coarser === null ? null : new PlanBounds(lawsOf(groups.coarser), bins, null),
    ),
    weights: groups.weights,
    pieces: groups.pieces,
    outside: groups.outside,
    operationsOfAPiece: groups.operations_of_a_piece,
  }));

function lawsOf(groups: readonly GroupCells[]): Laws {
  const cells = groups.map(cellsOf);
  return {
    late: new Masses(cells.map(lateOf), true),
    early: new Masses(cells.map(earlyOf), true),
    middle: new Masses(
      cells.map((group) => ({ atNs: group.map((cell) => middleOf(cell)), ratio: group.map(({ ratio }) => ratio) })),
      true,
    ),
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

const earlyOf = (cells: readonly Cell[]): Group => ({
  atNs: cells.map(({ lower }) => lower),
  ratio: cells.map(({ ratio }) => ratio),
});

function lateOf(cells: readonly Cell[]): Group {
  const closed = cells.filter(({ upper }) => upper !== null);
  return { atNs: closed.map(({ upper }) => upper ?? 0), ratio: closed.map(({ ratio }) => ratio) };
}

/** The middle of a cell, or its log-uniform mean in a coarse cell. */
function middleOf({ lower, upper }: Cell): number {
  const high = upper ?? 2 * Math.max(lower, 1);
  const isCoarse = lower > 0 && high - lower > COARSE_WIDTH * high;
  return isCoarse ? (high - lower) / Math.log(high / lower) : (lower + high) / 2;
}

/** The whole record as one group. A cell of one nanosecond is an exact latency. */
const wholeLevel = (cells: Cells, model: SliceModel, bins: number): Level =>
  remembered(cells, bins, () => {
    const total = totalOf(cells);
    const all = cells.counts.map((count, at) => {
      const [lower = 0, upper = null] = [cells.lower_ns[at], cells.upper_ns[at]];
      return { lower, upper: upper !== null && upper - lower === 1 ? lower : upper, ratio: count / total };
    });
    const isContinuous = all.some(({ lower, upper }) => lower !== upper);
    const laws = {
      late: new Masses([lateOf(all)], isContinuous),
      early: new Masses([earlyOf(all)], isContinuous),
      middle: new Masses(
        [{ atNs: representatives(all, cells.counts, model.sum_ns), ratio: all.map(({ ratio }) => ratio) }],
        isContinuous,
      ),
    };
    return {
      bounds: new PlanBounds(laws, bins, null),
      weights: [1],
      pieces: 1,
      outside: 0,
      operationsOfAPiece: Number.POSITIVE_INFINITY,
    };
  });

/** A latency for each cell, all moved to meet the exact sum where it is known. */
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
