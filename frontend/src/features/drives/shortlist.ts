// Shortlist of picked rows in the address. A row includes its drive's slug, by which it is found even if filters hide
// it.
import type { LeaderboardRow } from "@/api/types";
import type { Measure } from "@/entities/drive/measure";
import { driveName } from "@/entities/drive/ratings";
import { type DrivesSearch, listOf, toggled, writeList } from "./address";
import { rowConditions } from "./cellWords";

/** Highest number of picked rows: what fits beside each other and has few enough pairs for one API request. */
export const MOST_PICKED = 5;

/** What every view of the rows shows, with their shortlist. */
export type RowsView = {
  readonly rows: readonly LeaderboardRow[];
  readonly picks: readonly string[];
  /** Whether no further row can be picked. */
  readonly full: boolean;
  /** Whether rows of several conditions are shown, so that each names its own. */
  readonly mixed: boolean;
  /** Limits and meaning of the shares of slow reads. */
  readonly measure: Measure;
  readonly onPick: (pick: string) => void;
};

export const picksOf = (search: DrivesSearch): string[] => listOf(search.pick).slice(0, MOST_PICKED);

/** Returns the key of a picked row, from slug and row id: `samsung-830.1f0c…`. */
export const pickOf = (row: Pick<LeaderboardRow, "drive" | "row_id">): string => `${row.drive.slug}.${row.row_id}`;

export const slugOf = (pick: string): string => pick.slice(0, Math.max(0, pick.lastIndexOf(".")));

/** Returns the shortlist with the row added or removed; undefined if it becomes empty. */
export const pickToggled = (search: DrivesSearch, pick: string): DrivesSearch["pick"] =>
  writeList(toggled(picksOf(search), pick));

export type PickedPair = {
  readonly first: LeaderboardRow;
  readonly second: LeaderboardRow;
  /** Highest load at which both were tested; null: none, and the highest load of each is compared. */
  readonly load: number | null;
  readonly tests: readonly [string, string] | null;
};

/** Returns all pairs of rows, each with the tests that decide its comparability. */
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

export const testsOf = (pairs: readonly PickedPair[]): string[] => [
  ...new Set(pairs.flatMap((pair) => pair.tests ?? [])),
];

/** Returns the label of each row: the drive's name, with the differing conditions if it is listed twice. */
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
