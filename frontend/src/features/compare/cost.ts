// What a load inside the SLA costs in money and in power: which drives are beaten in both by none.
import type { LeaderboardRow } from "@/api/types";

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
  const { price, rating, drive } = row;
  if (cost === null || watts == null || price === null || rating.passed_load === null) return null;
  const name = `${drive.vendor} ${drive.name}`;
  return { id: row.row_id, name, slug: drive.slug, cost, watts, currency: price.currency, holds: rating.passed_load };
}

const beats = (one: Placed, other: Placed): boolean =>
  one.cost <= other.cost && one.watts <= other.watts && (one.cost < other.cost || one.watts < other.watts);

/** Drives with a price and a rated power, in the currency that most prices have. */
export function pointsOf(rows: readonly LeaderboardRow[], perTransaction: boolean): Point[] {
  const all = rows.flatMap((row) => placed(row, perTransaction) ?? []);
  const counts = new Map<string, number>();
  for (const { currency } of all) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const [currency] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const same = all.filter((one) => one.currency === currency);
  return same
    .map((one) => ({ ...one, unbeaten: !same.some((other) => beats(other, one)) }))
    .sort((a, b) => a.cost - b.cost || a.watts - b.watts);
}

export function costSentence(points: readonly Point[], unit: string): string {
  if (points.length === 0) return `What ${unit} cost is not known: no drive here has both a price and a power.`;
  const best = points.filter((one) => one.unbeaten);
  const [only] = best;
  if (best.length === 1 && only !== undefined)
    return `${only.name} needs the least money and the least power for ${unit}, of ${points.length} with a price.`;
  return `${best.length} of ${points.length} drives with a price are not beaten in both money and power for ${unit}.`;
}
