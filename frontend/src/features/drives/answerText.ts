// The answer in a sentence: who may be first, and what they hold. Only where the order is that of the ratings.
import type { LeaderboardRow } from "@/api/types";
import { driveName, formatCapacity, loadText, ratingMeaning } from "@/entities/drive/ratings";
import type { Sentence } from "@/entities/verdict/answer";
import { plural } from "@/lib/words";

/** Named one by one; beyond it they are counted. */
const MOST_NAMED = 4;

const nameOf = (row: LeaderboardRow): string =>
  row.capacity_bytes === null ? driveName(row.drive) : `${driveName(row.drive)} ${formatCapacity(row.capacity_bytes)}`;

/** A sentence with the one number that matters, and what else belongs to it. */
export type DrivesAnswer = Sentence & { readonly reason: string | null };

const plainly = (before: string, reason: string | null = null): DrivesAnswer => ({
  before,
  key: "",
  after: "",
  reason,
});

/** `First, or tied for it: …`; null where no test decides anything. Rows in the order of their ratings. */
export function answerOf(rows: readonly LeaderboardRow[]): DrivesAnswer | null {
  const ranked = rows.filter((row) => row.rank !== null);
  const [first] = ranked;
  if (first === undefined) return null;
  if (first.rating.passed_load === null)
    return plainly("None of these is known to pass any load that it was tested at.");
  const leading = ranked.filter((row) => row.rank?.best === 1);
  const [only] = leading;
  if (leading.length === 1 && only !== undefined)
    return plainly(`${nameOf(only)} comes first: ${ratingMeaning(only.rating)}.`);
  const named = leading.slice(0, MOST_NAMED).map(nameOf);
  const others = leading.length - named.length;
  const list =
    others > 0
      ? `${named.join(", ")} and ${plural(others, "other")}`
      : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
  return plainly(`${leading.length} drives tie for first: the tests cannot separate them.`, `They are ${list}.`);
}

/** `66 of 80 drives kept it in their tests, at loads from 1x to 275x.` No winner: groups have different conditions. */
export function heldText(rows: readonly LeaderboardRow[]): DrivesAnswer | null {
  const loads = rows.flatMap(({ rating }) => rating.passed_load ?? []);
  if (loads.length === 0) return null;
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map(loadText);
  return {
    before: "",
    key: `${loads.length} of ${rows.length}`,
    after: ` drives kept it in their tests, ${least === most ? `at ${least}` : `at loads from ${least} to ${most}`}.`,
    reason: "Ranks and best drives exist only inside a group of equal conditions.",
  };
}

/** A list with fewer decided rows than one in so many says so, and what else can be asked. */
const FEW = 4;

/** Where hardly any test decides the question: how many rows are decided. Null where enough are. */
export function fewDecided(rows: readonly LeaderboardRow[]): string | null {
  const decided = rows.filter(({ rating }) => rating.passed_load !== null || rating.failed_load !== null).length;
  if (decided * FEW >= rows.length) return null;
  return decided === 0 ? "No test here decides it." : `Only ${decided} of ${plural(rows.length, "row")} are decided.`;
}
