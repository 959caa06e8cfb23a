// Exports of the leaderboard: question, conditions and rows as JSON, and a short CSV table. Texts get plain spaces for
// programs.
import type { Leaderboard, LeaderboardRow } from "@/api/types";
import { costParts } from "@/entities/drive/cost";
import {
  beyondText,
  decidingRange,
  driveName,
  formatCapacity,
  type LimitOfRating,
  loadText,
  shareRangeText,
  testedByText,
  testYearText,
} from "@/entities/drive/ratings";
import type { Cell, CsvTable } from "@/lib/csv";

export const documentOf = ({ next_cursor: _, ...answer }: Leaderboard): string =>
  `${JSON.stringify(answer, null, 2).replaceAll("\u00a0", " ")}\n`;

function shareOf(row: LeaderboardRow, limits: readonly LimitOfRating[]): string {
  const range = decidingRange(row);
  return (range === null ? null : shareRangeText(range, limits)) ?? "not known";
}

/** Columns of the short table, for readers without access to this page. */
const SHORT_COLUMNS: readonly (readonly [string, (row: LeaderboardRow, limits: readonly LimitOfRating[]) => Cell])[] = [
  ["drive", (row) => driveName(row.drive)],
  ["capacity", (row) => (row.capacity_bytes === null ? "not stated" : formatCapacity(row.capacity_bytes))],
  ["holds", (row) => (row.rating.passed_load === null ? "no load" : loadText(row.rating.passed_load))],
  ["fails_at", beyondText],
  ["share_slow", shareOf],
  ["price", (row) => costParts(row)?.price ?? "not known"],
  ["dwpd", (row) => row.dwpd ?? "not stated"],
  ["year", testYearText],
  ["tested_by", testedByText],
];

type ShortTable = {
  readonly rows: readonly LeaderboardRow[];
  readonly question: string;
  readonly limits: readonly LimitOfRating[];
};

export const shortCsv = ({ rows, question, limits }: ShortTable): CsvTable => ({
  header: ["question", ...SHORT_COLUMNS.map(([name]) => name)],
  rows: rows.map((row) => [question, ...SHORT_COLUMNS.map(([, value]) => value(row, limits))]),
});
