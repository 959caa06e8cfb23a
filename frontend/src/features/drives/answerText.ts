// The answer in a sentence: who may be first, and what they hold. Only where the order is that of the ratings.
import type { LeaderboardRow } from "@/api/types";
import { driveName, formatCapacity, ratingMeaning } from "@/lib/ratings";
import { plural } from "@/lib/words";

/** Named one by one; beyond it they are counted. */
const MOST_NAMED = 4;

const nameOf = (row: LeaderboardRow): string =>
  row.capacity_bytes === null ? driveName(row.drive) : `${driveName(row.drive)} ${formatCapacity(row.capacity_bytes)}`;

/** `First, or tied for it: …`; null where no test decides anything. Rows in the order of their ratings. */
export function answerText(rows: readonly LeaderboardRow[]): string | null {
  const ranked = rows.filter((row) => row.rank !== null);
  const [first] = ranked;
  if (first === undefined) return null;
  if (first.rating.passed_load === null) return "None of these is known to pass any load that it was tested at.";
  const leading = ranked.filter((row) => row.rank?.best === 1);
  const [only] = leading;
  if (leading.length === 1 && only !== undefined) return `${nameOf(only)} comes first: ${ratingMeaning(only.rating)}.`;
  const named = leading.slice(0, MOST_NAMED).map(nameOf);
  const others = leading.length - named.length;
  const list =
    others > 0
      ? `${named.join(", ")} and ${plural(others, "other")}`
      : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
  return `Any of ${leading.length} may be first; the loads tested do not tell them apart: ${list}.`;
}
