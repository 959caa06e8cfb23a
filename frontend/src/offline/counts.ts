// Bounds from histogram buckets: the number of operations at or over a time, and how many operations equal one
// independent operation. As `LatencyDist.below_each` and `OperationEvidence.effect_at` in the backend.
import type { Cells } from "./evidence";
import type { Bounds } from "./judgement";

/** Returns the first index at which `isBefore` is false, by binary search. `isBefore` must be monotonic. */
export function place(length: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const runningTotals = new WeakMap<Cells, readonly number[]>();

function running(cells: Cells): readonly number[] {
  let totals = runningTotals.get(cells);
  if (totals === undefined) {
    const sums = [0];
    for (const count of cells.counts) sums.push((sums.at(-1) ?? 0) + count);
    totals = sums;
    runningTotals.set(cells, totals);
  }
  return totals;
}

/** Returns the number of operations with a latency plus the misses. */
export const totalOf = (cells: Cells): number => (running(cells).at(-1) ?? 0) + cells.misses;

/** Returns bounds on the number of operations that took `timeNs` or longer, misses included. */
export function atOrOver(cells: Cells, timeNs: number): Bounds {
  const { lower_ns, upper_ns, edge_tolerance_ns: tolerance } = cells;
  const totals = running(cells);
  const total = totalOf(cells);
  const pin = tolerance > 0 ? cells.pins.find(([at]) => at === timeNs) : undefined;
  if (pin !== undefined) return { lower: pin[1] + cells.misses, upper: pin[1] + cells.misses };
  const certain = place(upper_ns.length, (at) => (upper_ns[at] ?? Number.POSITIVE_INFINITY) <= timeNs + tolerance);
  const possible = place(lower_ns.length, (at) => (lower_ns[at] ?? 0) < timeNs - tolerance);
  const least = totals[certain] ?? 0;
  const most = Math.max(least, totals[possible] ?? 0);
  return { lower: total - most, upper: total - least };
}

/** Returns the operations per independent operation: exact at pinned times, else the larger of two neighbours. */
export function factorAt(cells: Cells, timeNs: number): number {
  const pinned = cells.pin_factors.find(([at]) => at === timeNs);
  if (pinned !== undefined) return pinned[1];
  const right = place(cells.places_ns.length, (at) => (cells.places_ns[at] ?? 0) < timeNs);
  return Math.max(1, ...cells.factors.slice(Math.max(0, right - 1), right + 1));
}

/** Returns the bounds of a quantile in nanoseconds. The upper bound is `null` beyond all latencies. */
export function quantileEnds(cells: Cells, quantile: number): readonly [number, number | null] {
  const total = totalOf(cells);
  const rank = Math.max(1, rankOf(quantile, total));
  const totals = running(cells);
  const cell = place(cells.counts.length, (at) => (totals[at + 1] ?? 0) < rank);
  if (cell >= cells.counts.length) return [cells.lower_ns.at(-1) ?? 0, null];
  return [cells.lower_ns[cell] ?? 0, cells.upper_ns[cell] ?? null];
}

/** Returns the smallest rank whose share of `total` reaches `quantile`, in exact decimal arithmetic. */
function rankOf(quantile: number, total: number): number {
  const [mantissa = "0", exponent = "0"] = String(quantile).split("e");
  const [integer = "0", digits = ""] = mantissa.split(".");
  const scale = 10n ** BigInt(digits.length - Number(exponent));
  const product = BigInt(integer + digits) * BigInt(total);
  return Number((product + scale - 1n) / scale);
}
