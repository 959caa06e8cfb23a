// Types of a chart specification. Drawing, readout, table and files all use one specification, so they always agree.
import type { Cell } from "@/lib/csv";
import { type Domain, linearTicks, type ScaleKind } from "./scales";

export type Bounds = readonly [lower: number, upper: number];

/** One x position with the value of each series there. A band has bounds. */
export type Row = { readonly x: number; readonly [series: string]: number | Bounds | null };

export type AxisSpec = {
  /** Quantity on the axis, with its unit. */
  readonly label: string;
  readonly kind: ScaleKind;
  readonly domain: Domain;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
};

/** Band for bounds, line for an estimate or a count, dots for values measured point by point. */
type Mark = "line" | "band" | "dots";

export type SeriesSpec = {
  readonly key: string;
  readonly label: string;
  readonly mark: Mark;
  /** CSS custom property of the colour: `--series-1`. */
  readonly color: string;
  readonly dashed?: boolean;
  /** Row key of measured values that are drawn as dots inside the band. */
  readonly dots?: string;
  /** True if a value is constant across its row's interval, as counts are; otherwise straight lines join the rows. */
  readonly stepped?: boolean;
  /** Hidden until selected in the legend. */
  readonly hiddenAtFirst?: boolean;
  /** Returns the readout text at a row; `null` leaves the series out. */
  readonly read: (row: Row) => string | null;
  /** Columns in the table and the CSV file: exact values, unit in the header. */
  readonly columns: readonly { readonly header: string; readonly value: (row: Row) => Cell }[];
};

/** A thin labelled horizontal line at a limit. It ends at `toX` if the limit holds only up to some quantile. */
export type LimitSpec = { readonly y: number; readonly label: string; readonly toX?: number };

/** A thin labelled vertical line, such as a transaction's deadline. */
export type UprightSpec = { readonly x: number; readonly label: string };

/** A shaded range of the x axis with a label. `id` is stable while its bounds and label change. */
export type StretchSpec = { readonly id: string; readonly fromX: number; readonly toX: number; readonly label: string };

export type ChartSpec = {
  /** Title of the chart; also its accessible name and the stem of its file names. */
  readonly title: string;
  readonly note?: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly rows: readonly Row[];
  /** Rows for the drawing if it needs more points than `rows`, such as the steps of bounds between quantiles. */
  readonly drawn?: readonly Row[];
  readonly series: readonly SeriesSpec[];
  readonly limits?: readonly LimitSpec[];
  readonly uprights?: readonly UprightSpec[];
  readonly stretches?: readonly StretchSpec[];
  /** Heading of the readout at a row: `at 12 s`, `99.9 %`. */
  readonly readX: (row: Row) => string;
  readonly xColumn: { readonly header: string; readonly value: (row: Row) => Cell };
};

/** Returns a linear axis from 0 to a round number above `most`. */
export function axisFromZero(label: string, most: number, format: AxisSpec["format"]): AxisSpec {
  const ticks = linearTicks(most);
  return { label, kind: "linear", domain: [0, ticks.at(-1) ?? 1], ticks, format };
}

export const numberAt = (row: Row, key: string): number | null => {
  const value = row[key];
  return typeof value === "number" ? value : null;
};

export function boundsAt(row: Row, key: string): Bounds | null {
  const value = row[key];
  return typeof value === "object" ? value : null;
}

type Drawing = Omit<SeriesSpec, "read" | "columns">;

/** Returns a series whose readout and column are the number at `key`, by default the drawn number. */
export const numberSeries = (
  drawing: Drawing,
  header: string,
  format: (value: number) => string,
  key = drawing.key,
): SeriesSpec => ({
  ...drawing,
  read: (row) => {
    const value = numberAt(row, key);
    return value === null ? null : format(value);
  },
  columns: [{ header, value: (row) => numberAt(row, key) }],
});

/** Returns a band whose readout and columns are the bounds at `key`, by default the drawn bounds. */
export const bandSeries = (
  drawing: Omit<Drawing, "mark">,
  [lower, upper]: readonly [string, string],
  format: (lower: number, upper: number) => string | null,
  key = drawing.key,
): SeriesSpec => ({
  ...drawing,
  mark: "band",
  read: (row) => {
    const bounds = boundsAt(row, key);
    return bounds === null ? null : format(...bounds);
  },
  columns: [
    { header: lower, value: (row) => boundsAt(row, key)?.[0] ?? null },
    { header: upper, value: (row) => boundsAt(row, key)?.[1] ?? null },
  ],
});

/** Returns the y value of a series' readout dot: for a band, its middle. `null` if the row has no value. */
export function heightOf(row: Row, key: string): number | null {
  const bounds = boundsAt(row, key);
  return bounds === null ? numberAt(row, key) : (bounds[0] + bounds[1]) / 2;
}

export function tableOf(spec: ChartSpec, shown: readonly SeriesSpec[]): { header: string[]; rows: Cell[][] } {
  const columns = [spec.xColumn, ...shown.flatMap((series) => series.columns)];
  return {
    header: columns.map((column) => column.header),
    rows: spec.rows.map((row) => columns.map((column) => column.value(row))),
  };
}
