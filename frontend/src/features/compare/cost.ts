// Cost and power of a load inside the SLA, and the drives that no other beats in both.
import type { LeaderboardFilter } from "@/api/leaderboard";
import type { LeaderboardRow } from "@/api/types";
import { type Ends, moneyUnit, type PriceLike } from "@/entities/drive/cost";
import { driveName, formatCapacity } from "@/entities/drive/ratings";

export type Point = {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly price: PriceLike;
  readonly cost: Ends;
  /** Power in watts; null if unknown. */
  readonly watts: number | null;
  readonly holds: number;
  /** Whether no other drive is at least as good in cost and power and better in one; null if the power is unknown. */
  readonly unbeaten: boolean | null;
};

type CostPoint = Omit<Point, "unbeaten">;

function placed(row: LeaderboardRow, perTransaction: boolean): CostPoint | null {
  const cost = perTransaction ? row.price_per_thousand_transactions : row.price_per_ktps;
  const watts = perTransaction ? row.watts_per_thousand_transactions : row.watts_per_ktps;
  const { price, rating, drive, capacity_bytes } = row;
  if (cost === null || price === null || rating.passed_load === null) return null;
  const name = [driveName(drive), capacity_bytes === null ? "" : formatCapacity(capacity_bytes)].join(" ").trim();
  return { id: row.row_id, name, slug: drive.slug, price, cost, watts, holds: rating.passed_load };
}

type WithWatts = { readonly watts: number };
export type PointWithWatts = Point & WithWatts;

export const hasWatts = <P extends CostPoint>(point: P): point is P & WithWatts => point.watts !== null;

const dominates = (point: CostPoint & WithWatts, other: CostPoint & WithWatts): boolean =>
  point.cost.upper <= other.cost.lower &&
  point.watts <= other.watts &&
  (point.cost.upper < other.cost.lower || point.watts < other.watts);

type WithPrice = { readonly price: PriceLike };

/** Returns the items with the most frequent key, counted over own prices if there are any. */
function mostCommon<P extends WithPrice>(all: readonly P[], keyOf: (priced: P) => string): P[] {
  const own = all.filter(({ price }) => price.publication === null);
  const counts = new Map<string, number>();
  for (const key of (own.length === 0 ? all : own).map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return all.filter((priced) => keyOf(priced) === most);
}

/** Returns drives with a cost in the most frequent currency and unit of use, cheapest first. */
export function pointsOf(rows: readonly LeaderboardRow[], perTransaction: boolean): Point[] {
  const all = rows.flatMap((row) => placed(row, perTransaction) ?? []);
  const same = mostCommon(all, ({ price }) => moneyUnit(price));
  const powered = same.filter(hasWatts);
  return same
    .map((point) => ({
      ...point,
      unbeaten: hasWatts(point) ? !powered.some((other) => dominates(other, point)) : null,
    }))
    .sort((a, b) => a.cost.upper - b.cost.upper || (a.watts ?? 0) - (b.watts ?? 0));
}

type Conditions = Pick<LeaderboardFilter, "metric" | "op" | "generation">;

/** Returns the conditions under which most drives have a cost: costs are comparable only under equal conditions. */
export function commonConditions(rows: readonly LeaderboardRow[], perTransaction: boolean): Conditions {
  const priced = rows.flatMap((row) => {
    const point = placed(row, perTransaction);
    return point === null ? [] : [{ row, price: point.price }];
  });
  const [common] = mostCommon(priced, ({ row: { metric_class, over_provisioning, generation } }) =>
    [metric_class, over_provisioning.class, generation].join(" "),
  );
  if (common === undefined) return {};
  const { metric_class, generation, over_provisioning } = common.row;
  return { metric: [metric_class], op: [over_provisioning.class], generation: [generation] };
}

/** Returns the number of rows with a price, including those without a passed load. */
export const pricedCount = (rows: readonly LeaderboardRow[]): number =>
  rows.filter(({ price }) => price !== null).length;

export function costSentence(points: readonly Point[], unit: string, priced: number): string {
  if (points.length === 0)
    return priced === 0
      ? `What ${unit} cost is not known: no drive here has a price.`
      : `What ${unit} cost is not shown: no test proves that a drive with a price holds a load inside this SLA.`;
  const best = points.filter((point) => point.unbeaten === true);
  const [only] = best;
  if (only === undefined) return cheapestSentence(points, unit);
  const powered = points.filter(hasWatts).length;
  return best.length === 1
    ? `${only.name} needs the least money and the least power for ${unit}, of ${powered} with a price.`
    : `${best.length} of ${powered} drives with a price are not beaten in both money and power for ${unit}.`;
}

/** Returns the answer by price alone, for drives of unknown power; overlapping intervals are ties. */
function cheapestSentence(points: readonly Point[], unit: string): string {
  const least = Math.min(...points.map(({ cost }) => cost.upper));
  const cheapest = points.filter(({ cost }) => cost.lower <= least);
  const [only] = cheapest;
  return cheapest.length === 1 && only !== undefined
    ? `${only.name} costs least for ${unit}, of ${points.length} with a price. Their power is not known.`
    : `${cheapest.length} of ${points.length} drives with a price tie for the least money for ${unit}.`;
}
