// The shortlist: rows that were picked, kept in the address. A row is named with its drive, because filters may hide it by the
// time the address is opened, and the drive is what finds it again.
import type { LeaderboardRow } from "@/api/types";
import { type DrivesSearch, listOf, toggled, writeList } from "./drivesSearch";

/** More columns than a screen holds beside each other. */
export const MOST_PICKED = 6;

export const picksOf = (search: DrivesSearch): string[] => listOf(search.pick).slice(0, MOST_PICKED);

/** `samsung-830.1f0c…`: drive and row. */
export const pickOf = (row: Pick<LeaderboardRow, "drive" | "row_id">): string => `${row.drive.slug}.${row.row_id}`;

/** The drive of what was picked. */
export const slugOf = (pick: string): string => pick.slice(0, Math.max(0, pick.lastIndexOf(".")));

/** With the row picked, or not any more; undefined where nothing is left. */
export const pickToggled = (search: DrivesSearch, pick: string): DrivesSearch["pick"] =>
  writeList(toggled(picksOf(search), pick));

/** Tests to be compared: those of each row at the highest load that all of them have been tested at, else every row's highest. */
export function testsToCompare(rows: readonly LeaderboardRow[]): { load: number | null; tests: string[] } {
  const tested = (row: LeaderboardRow) => row.cells.filter((cell) => cell.test_ids.length > 0);
  const [first, ...others] = rows;
  if (first === undefined) return { load: null, tests: [] };
  const common = tested(first)
    .map((cell) => cell.load)
    .filter((load) => others.every((row) => tested(row).some((cell) => cell.load === load)));
  const load = common.length === 0 ? null : Math.max(...common);
  const tests = rows.map((row) => {
    const cells = tested(row);
    const cell = load === null ? cells.at(-1) : cells.find((one) => one.load === load);
    return cell?.test_ids[0];
  });
  return { load, tests: tests.filter((test) => test !== undefined) };
}
