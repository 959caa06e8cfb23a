// Confidence limits from disjoint blocks of operations, as in backend/src/tailroom/domain/verdicts/block_counts.py and
// transactions/blocks.py.
import { place } from "./counts";
import type { ModelPart } from "./evidence";

const SIZES: readonly number[] = Array.from({ length: 9 }, (_, power) => 4 ** power);
export const FEWEST_BLOCKS = 40;
const ERROR_ONE_SIDED = 0.05;
const STEPS = 100;
const STEP = 1.1;

export type BlockCounts = Pick<ModelPart, "slice_totals" | "block_factors">;

export const blocksOfWhole = (total: number): BlockCounts => ({
  slice_totals: [[total], [1]],
  block_factors: SIZES.map(() => 1),
});

/** Returns the number of independent blocks of `operations` each. It never increases with the length. */
export function independentBlocks({ slice_totals, block_factors: factors }: BlockCounts, operations: number): number {
  const [totals, slices] = slice_totals;
  const disjoint = (size: number): number =>
    totals.reduce((sum, total, at) => sum + Math.floor(total / size) * (slices[at] ?? 0), 0);
  const cell = place(SIZES.length, (at) => (SIZES[at] ?? 0) <= operations) - 1;
  const later = SIZES.slice(cell + 1).map((size, at) => disjoint(size) / (factors[cell + 1 + at] ?? 1));
  return Math.max(disjoint(operations) / (factors[cell] ?? 1), ...later);
}

/** Returns the first step at or above `operations`. Each step is a tenth larger than the previous. */
export function nextSize(operations: number): number {
  let size = 1;
  while (size < operations) size = Math.max(size + 1, Math.floor(size * STEP));
  return size;
}

/** Returns the steps below `operations`, largest first. */
export function smallerSizes(operations: number): readonly number[] {
  const sizes: number[] = [];
  for (let size = 1; size < operations; size = Math.max(size + 1, Math.floor(size * STEP))) sizes.unshift(size);
  return sizes;
}

/** Returns one-sided confidence limits of the share of plans in time (Hoeffding's inequality for U-statistics). */
export function shareLimits(lower: number, upper: number, blocks: number): readonly [number, number] {
  if (blocks < FEWEST_BLOCKS) return [0, 1];
  const distance = Math.log(1 / ERROR_ONE_SIDED) / blocks;
  const least = Math.max(0, lower - (lower * (1 - lower)) / blocks);
  const most = Math.min(1, upper + (upper * (1 - upper)) / blocks);
  return [lowerLimit(least, distance), 1 - lowerLimit(1 - most, distance)];
}

/** Returns the smallest share whose Kullback–Leibler divergence from `share` is at most `distance`. */
function lowerLimit(share: number, distance: number): number {
  if (share <= 0) return 0;
  if (share >= 1) return Math.exp(-distance);
  let [low, high] = [0, share];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (divergence(share, middle) > distance) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns the Kullback–Leibler divergence of two shares. */
export function divergence(share: number, other: number): number {
  if (share === other) return 0;
  if ((other <= 0 && share > 0) || (other >= 1 && share < 1)) return Number.POSITIVE_INFINITY;
  const late = 1 - share;
  const first = share > 0 ? share * Math.log(share / other) : 0;
  return first + (late > 0 ? late * Math.log(late / (1 - other)) : 0);
}
