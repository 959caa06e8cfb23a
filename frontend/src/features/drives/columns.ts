// Optional columns of the matrix: content, reason for an empty cell, and order.
import type { LeaderboardRow } from "@/api/types";
import { costText, type Ends, priceMeaning, priceText } from "@/entities/drive/cost";
import { COUNTERS, counterOfRow, NO_COUNTER } from "@/entities/drive/counters";
import {
  evidenceShort,
  formatCapacity,
  type LimitOfRating,
  latestYear,
  loadText,
  rankMeaning,
  rankText,
  ratingMeaning,
  ratingText,
  shareRangeText,
  standingText,
  testedByText,
  testLengthText,
  testYearText,
  triesText,
} from "@/entities/drive/ratings";
import { formatExactLatency, formatInteger, joinParts, plural } from "@/lib/format";
import { toFigures } from "@/lib/rounding";
import { type DrivesSearch, listOf, writeList } from "./address";

/** Text of a cell with an exact value for hover, or the reason why it is unknown. */
type CellText = { readonly text: string; readonly exact?: string } | { readonly unknown: string };

export type Column = {
  readonly key: string;
  readonly label: string;
  /** Unabbreviated label, for the column picker and screen readers; absent if the label is not abbreviated. */
  readonly name?: string;
  readonly meaning: string;
  readonly width: number;
  readonly right?: true;
  /** First order when the header is pressed; absent if the API cannot sort by the column. */
  readonly sort?: "ascending" | "descending";
  readonly show: (row: LeaderboardRow, limits: readonly LimitOfRating[]) => CellText;
};

const NBSP = "\u00a0";

const withUnit = (value: number | null, unit: string, why: string): CellText =>
  value === null ? { unknown: why } : { text: `${figure(value)}${unit}`, exact: `${String(value)}${unit}` };

const figure = (value: number): string =>
  Number.isInteger(value) ? (value < 10_000 ? String(value) : formatInteger(value)) : toFigures(value);

const text = (value: string | null, why: string): CellText => (value === null ? { unknown: why } : { text: value });

const costOf = (price: LeaderboardRow["price"], cost: Ends | null, why: string): CellText =>
  price === null || cost === null
    ? { unknown: why }
    : { text: costText(cost, price), exact: `${costText(cost, price)}, ${priceMeaning(price)}` };

const NOT_IN_CATALOGUE = "no source in the catalogue says it";

/** Returns why a figure per load is missing: the value or the load is unknown. */
function perLoad(row: LeaderboardRow, value: number | null, what: string): string {
  if (value === null) return `${what} is not known: ${NOT_IN_CATALOGUE}`;
  return row.rating.passed_load === null ? "no load is known that it passes" : `${what} per load is not known`;
}

export const COLUMNS: readonly Column[] = [
  {
    key: "rating",
    label: "Rating",
    meaning: "the highest load passed, and the lowest failed above it",
    width: 152,
    sort: "descending",
    show: ({ rating }) => {
      const interval = ratingText(rating);
      return interval === null
        ? { unknown: "no test of it decides anything under these rules" }
        : { text: interval, exact: ratingMeaning(rating) };
    },
  },
  {
    key: "rank",
    label: "Rank",
    name: "Rank range",
    meaning: "best and worst place that the ratings allow; ranges that overlap are ties",
    width: 72,
    show: ({ rank, unranked_reason: why }) =>
      rank === null
        ? { unknown: why ?? "no test of it decides anything, so it has no place" }
        : { text: rankText(rank), exact: rankMeaning(rank) },
  },
  {
    key: "exceedance",
    label: "Slow reads",
    name: "Slow reads at the common load",
    meaning: "share of slow reads at the load that most of these rows were tested at",
    width: 132,
    right: true,
    sort: "ascending",
    show: ({ exceedance_at_common: at }, limits) => {
      if (at === null) return { unknown: "not tested at the load that most of these rows were tested at" };
      const share = shareRangeText(at, limits);
      const where = `over ${formatExactLatency(at.threshold_ns)} at ${loadText(at.load)}`;
      return share === null ? { unknown: `not known ${where}` } : { text: share, exact: `${share} ${where}` };
    },
  },
  {
    key: "capacity",
    label: "Capacity",
    meaning: "as sold",
    width: 92,
    right: true,
    sort: "descending",
    show: ({ capacity_bytes: bytes }) =>
      bytes === null
        ? { unknown: "the sources do not state the capacity" }
        : { text: formatCapacity(bytes), exact: `${formatInteger(bytes)} B` },
  },
  {
    key: "interface",
    label: "Interface",
    meaning: "between drive and server",
    width: 104,
    show: (row) => text(row.interface, NOT_IN_CATALOGUE),
  },
  {
    key: "form_factor",
    label: "Form factor",
    meaning: "how it is built",
    width: 128,
    show: (row) => text(row.form_factor, NOT_IN_CATALOGUE),
  },
  {
    key: "dwpd",
    label: "DWPD",
    name: "Drive writes per day (DWPD)",
    meaning: "how often it may be written full every day of its warranty",
    width: 76,
    right: true,
    sort: "descending",
    show: (row) => withUnit(row.dwpd, "", NOT_IN_CATALOGUE),
  },
  {
    key: "power",
    label: "Power",
    meaning: "rated, in watts",
    width: 76,
    right: true,
    sort: "ascending",
    show: (row) => withUnit(row.power_w, `${NBSP}W`, NOT_IN_CATALOGUE),
  },
  {
    key: "price",
    label: "Price",
    meaning: "with currency, date and source",
    width: 128,
    right: true,
    sort: "ascending",
    show: ({ price }) =>
      price === null
        ? { unknown: `price: ${NOT_IN_CATALOGUE}` }
        : { text: priceText(price), exact: `${priceText(price)}, ${priceMeaning(price)}` },
  },
  {
    key: "price_per_ktps",
    label: "Price/kTPS",
    name: "Price per kTPS held",
    meaning: "per 1,000 operations per second of the highest load passed",
    width: 136,
    right: true,
    sort: "ascending",
    show: (row) => costOf(row.price, row.price_per_ktps, perLoad(row, row.price?.upper ?? null, "its price")),
  },
  {
    key: "price_per_thousand_transactions",
    label: "Price/1,000 tx/s",
    name: "Price per 1,000 transactions a second",
    meaning: "of the question, at the highest load that passes it",
    width: 144,
    right: true,
    show: (row) =>
      costOf(
        row.price,
        row.price_per_thousand_transactions,
        "only a question about transactions with a known price has one",
      ),
  },
  {
    key: "watts_per_ktps",
    label: "W/kTPS",
    name: "Watts per kTPS held",
    meaning: "per 1,000 operations per second of the highest load passed",
    width: 88,
    right: true,
    sort: "ascending",
    show: (row) => withUnit(row.watts_per_ktps, `${NBSP}W`, perLoad(row, row.power_w, "its power")),
  },
  ...COUNTERS.map(
    ({ figure: key, column, label, name, meaning }): Column => ({
      key: column,
      label,
      name,
      meaning,
      width: 116,
      right: true,
      show: (row) => counterOfRow(row, key) ?? { unknown: NO_COUNTER },
    }),
  ),
  {
    key: "evidence",
    label: "Evidence",
    meaning: "where the tests come from",
    width: 108,
    show: (row) => text(row.evidence.length === 0 ? null : row.evidence.map(evidenceShort).join(", "), "no test"),
  },
  {
    key: "year",
    label: "Year",
    name: "Year of the test",
    meaning: "of the latest dated test, or “by” the year of the document that printed it",
    width: 80,
    right: true,
    show: (row) => text(latestYear(row) === null ? null : testYearText(row), "no source states a date"),
  },
  {
    key: "tested_by",
    label: "Tested by",
    meaning: "the drive's vendor, the publisher, or an organisation",
    width: 124,
    show: (row) => text(row.tested_by.length === 0 ? null : testedByText(row), "no source states the tester"),
  },
  {
    key: "standing",
    label: "Standing",
    meaning: "whether repeats or a second organisation bear it out",
    width: 116,
    show: ({ standing }) => ({
      text: joinParts([standing.standing, triesText(standing)], ", "),
      exact: standingText(standing),
    }),
  },
  {
    key: "length",
    label: "Length",
    name: "Length of the longest test",
    meaning: "how long the longest test lasted",
    width: 84,
    right: true,
    show: (row) => text(row.longest_test_ns === null ? null : testLengthText(row), "no source states a duration"),
  },
  {
    key: "firmware",
    label: "Firmware",
    meaning: "of the measured drives",
    width: 100,
    show: ({ firmwares }) => text(firmwares.join(", ") || null, "no source states the firmware"),
  },
  {
    key: "tests",
    label: "Tests",
    name: "Number of tests",
    meaning: "tests on record for the row",
    width: 72,
    right: true,
    show: (row) => ({ text: formatInteger(row.test_count), exact: plural(row.test_count, "test") }),
  },
];

/** The optional columns in table order: those above, and one for each load after rating and rank. */
export const COLUMN_KEYS: readonly string[] = COLUMNS.map(({ key }) => key).toSpliced(2, 0, "loads");

const DEFAULT_HIDDEN: ReadonlySet<string> = new Set(["capacity", "form_factor", "tests"]);
export const DEFAULT_COLUMNS: readonly string[] = COLUMN_KEYS.filter((key) => !DEFAULT_HIDDEN.has(key));

/** Returns the shown columns in table order; without a choice, the default columns with a value in some row. */
export function shownColumns(search: DrivesSearch, rows?: readonly LeaderboardRow[]): readonly string[] {
  if (search.columns === undefined)
    return rows === undefined || rows.length === 0
      ? DEFAULT_COLUMNS
      : DEFAULT_COLUMNS.filter((key) => holdsSomething(key, rows));
  const named = listOf(search.columns);
  return COLUMN_KEYS.filter((key) => named.includes(key));
}

const holdsSomething = (key: string, rows: readonly LeaderboardRow[]): boolean => {
  const column = COLUMNS.find((candidate) => candidate.key === key);
  return column === undefined || rows.some((row) => "text" in column.show(row, []));
};

/** Returns the columns as a parameter; undefined for the defaults, `none` if no optional column is shown. */
export function writeColumns(columns: readonly string[]): DrivesSearch["columns"] {
  const ordered = COLUMN_KEYS.filter((key) => columns.includes(key));
  if (ordered.join() === DEFAULT_COLUMNS.join()) return undefined;
  return writeList(ordered.length === 0 ? ["none"] : ordered);
}
