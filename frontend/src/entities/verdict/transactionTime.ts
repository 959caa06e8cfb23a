// Chart of a transaction's total time: model bounds as a band with an estimate, and measured transactions. Vertical
// lines mark the window and the window minus the reserve; the room left is before the latter.

import type { TransactionFinding } from "@/api/types";
import { linearTicks, logTicks, ninesLabel, ninesOf, ninesTicks, type ScaleChoice, step125 } from "@/charts/scales";
import {
  type AxisSpec,
  type ChartSpec,
  numberAt,
  numberSeries,
  type Row,
  type SeriesSpec,
  type StretchSpec,
  type UprightSpec,
} from "@/charts/spec";
import {
  formatExactLatency,
  formatExactPercent,
  formatLatency,
  formatPercent,
  formatPercentInterval,
} from "@/lib/format";
import { roomEnds, roomOf, roomText } from "./answer";

type CdfPoint = TransactionFinding["cdf"][number];

/** Upper bound of a quantile of measured transactions; `null` if it is among the misses. */
export type MeasuredPoint = { readonly quantile: number; readonly upper_ns: number | null };

/** A verdict or an answer about a transaction, with its texts. The points of `cdf` are in ascending order of time. */
type TransactionTime = Pick<TransactionFinding, "window_ns" | "reserve_ns" | "objective_ratio"> &
  Pick<TransactionFinding, "cdf" | "room_lower_ns" | "room_upper_ns" | "evidence"> & {
    readonly title: string;
    readonly note: string;
    readonly measured: readonly MeasuredPoint[] | null;
    readonly scale: ScaleChoice;
  };

const MOST_NINES = 6;

const BAND: SeriesSpec = {
  key: "band",
  label: "model, least to most",
  mark: "band",
  color: "--series-1",
  read: (row) => {
    const [lower, upper] = [numberAt(row, "lower"), numberAt(row, "upper")];
    return lower === null || upper === null ? null : formatPercentInterval(lower, upper);
  },
  columns: [
    { header: "model_lower_ratio", value: (row) => numberAt(row, "lower") },
    { header: "model_upper_ratio", value: (row) => numberAt(row, "upper") },
  ],
};

const ESTIMATE = numberSeries(
  { key: "estimateNines", label: "model, estimate", mark: "line", color: "--series-3" },
  "model_estimate_ratio",
  (share) => formatPercent(share),
  "estimate",
);

const MEASURED = numberSeries(
  { key: "measuredNines", label: "measured", mark: "dots", color: "--series-2" },
  "measured_ratio",
  (share) => formatPercent(share, "down"),
  "measured",
);

type Model = { lower: number; estimate: number | null; upper: number };

/** Returns the model's bounds at any time: the previous point bounds a distribution below, the next above. */
export function modelAt(cdf: readonly CdfPoint[], tNs: number): Model {
  const after = cdf.findIndex((point) => point.t_ns >= tNs);
  const next = cdf[after];
  if (next?.t_ns === tNs) return { lower: next.lower, estimate: next.estimate, upper: next.upper };
  const before = after < 0 ? cdf.at(-1) : cdf[after - 1];
  if (next === undefined) return { lower: before?.lower ?? 0, estimate: null, upper: 1 };
  if (before === undefined) return { lower: 0, estimate: null, upper: next.upper };
  const part = (tNs - before.t_ns) / (next.t_ns - before.t_ns);
  return {
    lower: before.lower,
    estimate: before.estimate + part * (next.estimate - before.estimate),
    upper: next.upper,
  };
}

/** Returns the largest share of measured transactions certain to take at most `tNs`; `null` if there is none. */
export function measuredShareAt(points: readonly MeasuredPoint[], tNs: number): number | null {
  let crossing: number | null = null;
  for (const point of points) {
    if (point.upper_ns === null || point.upper_ns > tNs) break;
    crossing = point.quantile;
  }
  return crossing;
}

function rowsOf({ cdf, measured }: TransactionTime, topNines: number): Row[] {
  const height = (value: number): number => Math.min(topNines, Math.max(0, value >= 1 ? topNines : ninesOf(value)));
  const times = new Set(cdf.map((point) => point.t_ns));
  for (const point of measured ?? []) if (point.upper_ns !== null) times.add(point.upper_ns);
  return [...times]
    .filter((time) => time > 0)
    .sort((a, b) => a - b)
    .map((time): Row => {
      const model = modelAt(cdf, time);
      const seen = measured === null ? null : measuredShareAt(measured, time);
      return {
        x: time,
        lower: model.lower,
        estimate: model.estimate,
        upper: model.upper,
        measured: seen,
        band: [height(model.lower), height(model.upper)],
        estimateNines: model.estimate === null ? null : height(model.estimate),
        measuredNines: seen === null || seen <= 0 ? null : height(seen),
      };
    });
}

export function transactionTimeSpec(time: TransactionTime): ChartSpec {
  const { cdf, window_ns: windowNs, reserve_ns: reserveNs, objective_ratio: objectiveRatio, measured } = time;
  const top = Math.min(MOST_NINES, Math.max(3, Math.ceil(ninesOf(objectiveRatio) + 1)));
  const rows = rowsOf(time, top);
  const allowed = windowNs - reserveNs;
  // The axis starts where values are visible and ends at the window, or where the curve is near its top if that is
  // later.
  const visible = (row: Row): boolean =>
    (cdf.length > 0 && (numberAt(row, "upper") ?? 0) > 0.002 && (numberAt(row, "estimate") ?? 0) > 0) ||
    (numberAt(row, "measured") ?? 0) > 0.002;
  const begins = rows.find(visible)?.x ?? allowed / 10;
  const modelRisen = cdf.find((point) => point.lower > 1 - 10 ** -top)?.t_ns ?? cdf.at(-1)?.t_ns ?? allowed;
  const measuredRisen = measured?.findLast((point) => point.upper_ns !== null)?.upper_ns ?? 0;
  const risen = Math.max(modelRisen, measuredRisen);
  const ends = Math.max(windowNs * 1.08, Math.min(risen, windowNs * 20));
  const x = timeAxis(Math.min(begins, allowed / 2), ends, time.scale);
  const inside = rows.filter((row) => row.x >= x.domain[0] && row.x <= x.domain[1]);
  return {
    title: time.title,
    note: time.note,
    x,
    y: {
      label: "share of transactions done by then",
      kind: "linear",
      domain: [0, top],
      ticks: ninesTicks(top),
      format: ninesLabel,
    },
    rows: inside,
    drawn: stepped(inside),
    series: measured === null ? [BAND, ESTIMATE] : [BAND, ESTIMATE, MEASURED],
    limits: [{ y: ninesOf(objectiveRatio), label: `objective ${formatExactPercent(objectiveRatio)}` }],
    uprights: uprightsOf(time),
    stretches: roomStretches(time),
    readX: (row) => `within ${formatLatency(row.x)}`,
    xColumn: { header: "time_ns", value: (row) => row.x },
  };
}

/** Adds steps to the band: between two points, the share is at least the first's and at most the second's. */
function stepped(rows: readonly Row[]): Row[] {
  return rows.flatMap((row, index) => {
    const next = rows[index + 1];
    const [from, to] = [row["band"], next?.["band"]];
    if (next === undefined || !Array.isArray(from) || !Array.isArray(to)) return [row];
    const band = [from[0], to[1]] as const;
    return [
      row,
      { x: row.x, band, estimateNines: row["estimateNines"] ?? null, measuredNines: null },
      { x: next.x, band, estimateNines: next["estimateNines"] ?? null, measuredNines: null },
    ];
  });
}

function timeAxis(low: number, ends: number, scale: ScaleChoice): AxisSpec {
  const label = "time of the whole transaction";
  const format = (value: number) => (value === 0 ? "0" : formatExactLatency(Number(value.toPrecision(3))));
  if (scale === "linear" || (scale === "auto" && ends / low <= 10)) {
    const ticks = linearTicks(ends, 6);
    return { label, format, kind: "linear", domain: [0, ends], ticks: ticks.filter((tick) => tick <= ends) };
  }
  const domain = [ends / low > 3 ? step125(low, "down") : low * 0.98, ends] as const;
  const ticks = domain[1] / domain[0] > 3 ? logTicks(domain) : evenTicks(domain);
  return { label, format, kind: "log", domain, ticks };
}

function uprightsOf({ window_ns: windowNs, reserve_ns: reserveNs }: TransactionTime): UprightSpec[] {
  const window = { x: windowNs, label: `window ${formatExactLatency(windowNs)}` };
  if (reserveNs === 0) return [window];
  const allowed = windowNs - reserveNs;
  return [window, { x: allowed, label: `left for reads ${formatExactLatency(allowed)}` }];
}

function roomStretches(time: TransactionTime): StretchSpec[] {
  const { room_lower_ns: lower, room_upper_ns: upper } = time;
  const left = lower === null || lower <= 0 || upper === null ? null : roomEnds(roomOf("PASS", time));
  if (lower === null || left === null) return [];
  const allowed = time.window_ns - time.reserve_ns;
  const label = `room ${time.evidence === "measured" ? "as measured" : "by the model"} ${roomText(left)}`;
  return [{ id: "room", fromX: allowed - lower, toX: allowed, label }];
}

/** Returns ticks at equal distances, for spans too narrow for 1-2-5. */
function evenTicks([from, to]: readonly [number, number]): number[] {
  const step = step125((to - from) / 6, "up");
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}
