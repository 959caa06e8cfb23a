// The shortlist: picked rows in the address. A row is named with its drive, because filters may hide it by the
// time the address is opened, and the drive is what finds it again.
import type { LeaderboardRow } from "@/api/types";
import { driveName } from "@/entities/drive/ratings";
import { type DrivesSearch, listOf, toggled, writeList } from "./address";
import { rowConditions } from "./cellWords";

/** Beside each other on a screen; and all pairs of them have no more tests than the API compares at once. */
export const MOST_PICKED = 5;

export const picksOf = (search: DrivesSearch): string[] => listOf(search.pick).slice(0, MOST_PICKED);

/** `samsung-830.1f0c…`: drive and row. */
export const pickOf = (row: Pick<LeaderboardRow, "drive" | "row_id">): string => `${row.drive.slug}.${row.row_id}`;

/** The drive of what was picked. */
export const slugOf = (pick: string): string => pick.slice(0, Math.max(0, pick.lastIndexOf(".")));

/** With the row picked, or not any more; undefined where nothing is left. */
export const pickToggled = (search: DrivesSearch, pick: string): DrivesSearch["pick"] =>
  writeList(toggled(picksOf(search), pick));

export type PickedPair = {
  readonly first: LeaderboardRow;
  readonly second: LeaderboardRow;
  /** The highest load that both were tested at; null: none, and the highest of each is compared. */
  readonly load: number | null;
  readonly tests: readonly [string, string] | null;
};

/** Every two rows of the shortlist with the tests that can tell whether they may be compared. */
export function pairsOf(rows: readonly LeaderboardRow[]): PickedPair[] {
  return rows.flatMap((first, index) => rows.slice(index + 1).map((second) => pairOf(first, second)));
}

function pairOf(first: LeaderboardRow, second: LeaderboardRow): PickedPair {
  const tested = (row: LeaderboardRow) => row.cells.filter((cell) => cell.test_ids.length > 0);
  const loads = tested(second).map((cell) => cell.load);
  const load = tested(first).findLast((cell) => loads.includes(cell.load))?.load ?? null;
  const testOf = (row: LeaderboardRow) =>
    tested(row).findLast((cell) => load === null || cell.load === load)?.test_ids[0];
  const firstTest = testOf(first);
  const other = testOf(second);
  return { first, second, load, tests: firstTest === undefined || other === undefined ? null : [firstTest, other] };
}

/** The tests of all pairs, each once. */
export const testsOf = (pairs: readonly PickedPair[]): string[] => [
  ...new Set(pairs.flatMap((pair) => pair.tests ?? [])),
];

/** The label of each row: its drive, and the difference where the drive is there twice. */
export function labelsOf(rows: readonly LeaderboardRow[]): Map<LeaderboardRow, string> {
  const short = (row: LeaderboardRow): string => `${driveName(row.drive)}, ${rowConditions(row, false)}`;
  return new Map(
    rows.map((row) => {
      const twins = rows.filter((candidate) => candidate.drive.slug === row.drive.slug);
      if (twins.length === 1) return [row, driveName(row.drive)];
      const same = twins.filter((candidate) => short(candidate) === short(row));
      return [row, same.length === 1 ? short(row) : `${driveName(row.drive)}, ${rowConditions(row, true)}`];
    }),
  );
}
