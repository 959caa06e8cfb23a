// What a load inside the SLA costs in money and in power: which drives are beaten in both by none.
import type { LeaderboardAsked } from "@/api/leaderboard";
import type { LeaderboardRow } from "@/api/types";
import { driveName, formatCapacity } from "@/entities/drive/ratings";

export type Point = {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly cost: number;
  readonly watts: number;
  readonly currency: string;
  readonly holds: number;
  /** No other drive is at least as good in both and better in one. */
  readonly unbeaten: boolean;
};

type Placed = Omit<Point, "unbeaten">;

function placed(row: LeaderboardRow, perTransaction: boolean): Placed | null {
  const cost = perTransaction ? row.price_per_thousand_transactions : row.price_per_ktps;
  const watts = perTransaction ? row.watts_per_thousand_transactions : row.watts_per_ktps;
  const { price, rating, drive, capacity_bytes } = row;
  if (cost === null || watts == null || price === null || rating.passed_load === null) return null;
  const name = [driveName(drive), capacity_bytes === null ? "" : formatCapacity(capacity_bytes)].join(" ").trim();
  return { id: row.row_id, name, slug: drive.slug, cost, watts, currency: price.currency, holds: rating.passed_load };
}

const beats = (point: Placed, other: Placed): boolean =>
  point.cost <= other.cost && point.watts <= other.watts && (point.cost < other.cost || point.watts < other.watts);

/** Drives with a price and a rated power, in the currency that most prices have. */
export function pointsOf(rows: readonly LeaderboardRow[], perTransaction: boolean): Point[] {
  const all = rows.flatMap((row) => placed(row, perTransaction) ?? []);
  const counts = new Map<string, number>();
  for (const { currency } of all) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const [currency] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const same = all.filter((point) => point.currency === currency);
  return same
    .map((point) => ({ ...point, unbeaten: !same.some((other) => beats(other, point)) }))
    .sort((a, b) => a.cost - b.cost || a.watts - b.watts);
}

type Conditions = Pick<LeaderboardAsked, "metric" | "op" | "generation">;

/** Under which conditions most drives have a cost: only there they are compared. */
export function commonConditions(rows: readonly LeaderboardRow[], perTransaction: boolean): Conditions {
  const counts = new Map<string, { count: number; conditions: Conditions }>();
  for (const row of rows) {
    if (placed(row, perTransaction) === null) continue;
    const { metric_class, generation, over_provisioning } = row;
    const key = `${metric_class} ${over_provisioning.class} ${generation}`;
    const counted = counts.get(key);
    const conditions = { metric: [metric_class], op: [over_provisioning.class], generation: [generation] };
    counts.set(key, { count: (counted?.count ?? 0) + 1, conditions });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.conditions ?? {};
}

/** Drives that have both a price and a power, also where no load of theirs passes. */
export const pricedCount = (rows: readonly LeaderboardRow[]): number =>
  rows.filter(({ price, power_w }) => price !== null && power_w !== null).length;

export function costSentence(points: readonly Point[], unit: string, priced: number): string {
  if (points.length === 0)
    return priced === 0
      ? `What ${unit} cost is not known: no drive here has both a price and a power.`
      : `What ${unit} cost is not shown: no test proves that a drive with a price holds a load inside this SLA.`;
  const best = points.filter((point) => point.unbeaten);
  const [only] = best;
  if (best.length === 1 && only !== undefined)
    return `${only.name} needs the least money and the least power for ${unit}, of ${points.length} with a price.`;
  return `${best.length} of ${points.length} drives with a price are not beaten in both money and power for ${unit}.`;
}
