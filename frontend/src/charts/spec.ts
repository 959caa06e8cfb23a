// The description of a chart. A feature builds this from data; the drawing, the readout, the table and the files all come
// from the same specification, so they cannot disagree.
import type { Cell } from "@/lib/csv";
import type { Domain, ScaleKind } from "./scales";

/** One position on the x axis with what each series has there. A band has its two ends. */
export type Row = { readonly x: number; readonly [series: string]: number | readonly [number, number] | null };

export type AxisSpec = {
  /** What the axis measures, with its unit. */
  readonly label: string;
  readonly kind: ScaleKind;
  readonly domain: Domain;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
};

/** A bound is a band, an estimate or a count a line, something measured point by point is dots. */
type Mark = "line" | "band" | "dots";

export type SeriesSpec = {
  readonly key: string;
  readonly label: string;
  readonly mark: Mark;
  /** A custom property of the palette: `--series-1`. */
  readonly color: string;
  readonly dashed?: boolean;
  /** Key of what was measured point by point inside a band: drawn as dots in it. */
  readonly dots?: string;
  /** Each value holds from one row to the next, as counts of an interval do; else rows are joined by straight lines. */
  readonly stepped?: boolean;
  /** Left out until the reader asks for it. */
  readonly hiddenAtFirst?: boolean;
  /** How a value of this series is read out. */
  readonly read: (row: Row) => string | null;
  /** Its columns in table and file, exact, unit in the header. */
  readonly columns: readonly { readonly header: string; readonly value: (row: Row) => Cell }[];
};

/** A thin labelled line at a limit; with `toX` it ends there (a limit that holds up to some quantile). */
export type LimitSpec = { readonly y: number; readonly label: string; readonly toX?: number };

/** A thin labelled upright line: the window of a transaction. */
export type UprightSpec = { readonly x: number; readonly label: string };

/** A shaded stretch of the x axis with its meaning; `id` stays while ends and label move. */
export type StretchSpec = { readonly id: string; readonly fromX: number; readonly toX: number; readonly label: string };

export type ChartSpec = {
  /** States what the chart shows; also its accessible name and the stem of its file names. */
  readonly title: string;
  readonly note?: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly rows: readonly Row[];
  /** What is drawn where that is more than the rows: steps between them, for bounds that no straight line keeps. */
  readonly drawn?: readonly Row[];
  readonly series: readonly SeriesSpec[];
  readonly limits?: readonly LimitSpec[];
  readonly uprights?: readonly UprightSpec[];
  readonly stretches?: readonly StretchSpec[];
  /** Headline of the readout at a row: `at 12 s`, `99.9 %`. */
  readonly readX: (row: Row) => string;
  readonly xColumn: { readonly header: string; readonly value: (row: Row) => Cell };
};

/** The value at which the readout's dot of a series is drawn: the middle of a band. */
export function heightOf(row: Row, key: string): number | null {
  const value = row[key];
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return value;
  return (value[0] + value[1]) / 2;
}

export function tableOf(spec: ChartSpec, shown: readonly SeriesSpec[]): { header: string[]; rows: Cell[][] } {
  const columns = [spec.xColumn, ...shown.flatMap((series) => series.columns)];
  return {
    header: columns.map((column) => column.header),
    rows: spec.rows.map((row) => columns.map((column) => column.value(row))),
  };
}
