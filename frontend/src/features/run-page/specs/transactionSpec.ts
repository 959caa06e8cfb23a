// Time of a whole transaction: what the buckets guarantee and allow as a band, the estimate in it, and beside it what was
// measured. Upright: the window; the stretch before it is the room left.
import type { PercentileCurve, TransactionFinding } from "@/api/types";
import { logTicks, ninesLabel, ninesOf, ninesTicks, step125 } from "@/charts/scales";
import type { ChartSpec, Row, SeriesSpec, StretchSpec, UprightSpec } from "@/charts/spec";
import {
  formatExactLatency,
  formatExactPercent,
  formatLatency,
  formatLatencyInterval,
  formatPercent,
  formatPercentInterval,
} from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";

const MOST_NINES = 6;

const share = (row: Row, key: string): number | null => (typeof row[key] === "number" ? row[key] : null);

const BAND: SeriesSpec = {
  key: "band",
  label: "model, guaranteed to possible",
  mark: "band",
  color: "--series-1",
  read: (row) => {
    const lower = share(row, "lower");
    const upper = share(row, "upper");
    return lower === null || upper === null ? null : formatPercentInterval(ratio(lower), ratio(upper));
  },
  columns: [
    { header: "model_lower_ratio", value: (row) => share(row, "lower") },
    { header: "model_upper_ratio", value: (row) => share(row, "upper") },
  ],
};

const ESTIMATE: SeriesSpec = {
  key: "estimateNines",
  label: "model, estimate",
  mark: "line",
  color: "--series-3",
  read: (row) => {
    const value = share(row, "estimate");
    return value === null ? null : formatPercent(ratio(value));
  },
  columns: [{ header: "model_estimate_ratio", value: (row) => share(row, "estimate") }],
};

const MEASURED: SeriesSpec = {
  key: "measuredNines",
  label: "measured",
  mark: "dots",
  color: "--series-2",
  read: (row) => {
    const value = share(row, "measured");
    return value === null ? null : formatPercent(ratio(value), "down");
  },
  columns: [{ header: "measured_ratio", value: (row) => share(row, "measured") }],
};

type Model = { lower: number; estimate: number | null; upper: number };

/** The model's bounds at any time: a distribution never falls, so the point before bounds it below and the point after above. */
export function modelAt(cdf: TransactionFinding["cdf"], tNs: number): Model {
  const after = cdf.findIndex((point) => point.t_ns >= tNs);
  const next = cdf[after];
  if (next?.t_ns === tNs) return next;
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

/** Share of the measured transactions known to have taken at most `t`: the greatest quantile whose upper end is not beyond it. */
export function measuredShareAt(curve: PercentileCurve, tNs: number): number | null {
  let found: number | null = null;
  for (const point of curve.points) {
    if (point.upper_ns === null || point.upper_ns > tNs) break;
    found = point.quantile;
  }
  return found;
}

export function transactionRows(
  finding: TransactionFinding,
  measured: PercentileCurve | null,
  topNines: number,
): Row[] {
  const height = (value: number): number => Math.min(topNines, Math.max(0, value >= 1 ? topNines : ninesOf(value)));
  const times = new Set(finding.cdf.map((point) => point.t_ns));
  for (const point of measured?.points ?? []) if (point.upper_ns !== null) times.add(point.upper_ns);
  return [...times]
    .filter((time) => time > 0)
    .sort((a, b) => a - b)
    .map((time): Row => {
      const model = modelAt(finding.cdf, time);
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

export function transactionSpec(finding: TransactionFinding, measured: PercentileCurve | null): ChartSpec {
  const top = Math.min(MOST_NINES, Math.max(3, Math.ceil(ninesOf(finding.objective_ratio) + 1)));
  const rows = transactionRows(finding, measured, top);
  const allowed = finding.window_ns - finding.reserve_ns;
  // Begin where something can be seen; end at the window, or where the curve has risen when that is later.
  const visible = (row: Row): boolean =>
    (finding.cdf.length > 0 && (share(row, "upper") ?? 0) > 0.002 && (share(row, "estimate") ?? 0) > 0) ||
    (share(row, "measured") ?? 0) > 0.002;
  const begins = rows.find(visible)?.x ?? allowed / 10;
  const modelRisen =
    finding.cdf.find((point) => point.lower > 1 - 10 ** -top)?.t_ns ?? finding.cdf.at(-1)?.t_ns ?? allowed;
  const measuredRisen = measured?.points.findLast((point) => point.upper_ns !== null)?.upper_ns ?? 0;
  const risen = Math.max(modelRisen, measuredRisen);
  const ends = Math.max(finding.window_ns * 1.08, Math.min(risen, finding.window_ns * 20));
  const low = Math.min(begins, allowed / 2);
  const domain = [ends / low > 3 ? step125(low, "down") : low * 0.98, ends] as const;
  const span = domain[1] / domain[0];
  const uprights: UprightSpec[] = [
    { x: finding.window_ns, label: `window ${formatExactLatency(nanoseconds(finding.window_ns))}` },
  ];
  if (finding.reserve_ns > 0) {
    uprights.push({ x: allowed, label: `left for reads ${formatExactLatency(nanoseconds(allowed))}` });
  }
  const { room_lower_ns: roomLower, room_upper_ns: roomUpper } = finding;
  const used = roomLower === null ? null : allowed - roomLower;
  const stretches: StretchSpec[] =
    used === null || roomLower === null || roomUpper === null || used >= allowed
      ? []
      : [
          {
            id: "room",
            fromX: used,
            toX: allowed,
            label: `${finding.evidence === "measured" ? "room as measured" : "room by the model"} ${formatLatencyInterval(nanoseconds(roomLower), nanoseconds(roomUpper))}`,
          },
        ];
  return {
    title: `Time of a transaction of ${finding.reads} reads`,
    note: "One read after another. Where the band meets the window, the share of transactions that make it can be read off.",
    x: {
      label: "time of the whole transaction",
      kind: "log",
      domain,
      ticks: span > 3 ? logTicks(domain) : evenTicks(domain),
      format: (value) => formatExactLatency(nanoseconds(Number(value.toPrecision(3)))),
    },
    y: {
      label: "share of transactions done by then",
      kind: "linear",
      domain: [0, top],
      ticks: ninesTicks(top),
      format: ninesLabel,
    },
    rows: rows.filter((row) => row.x >= domain[0] && row.x <= domain[1]),
    series: measured === null ? [BAND, ESTIMATE] : [BAND, ESTIMATE, MEASURED],
    limits: [
      { y: ninesOf(finding.objective_ratio), label: `objective ${formatExactPercent(ratio(finding.objective_ratio))}` },
    ],
    uprights,
    stretches,
    readX: (row) => `within ${formatLatency(nanoseconds(row.x))}`,
    xColumn: { header: "time_ns", value: (row) => row.x },
  };
}

/** Round ticks of a span too narrow for 1-2-5. */
function evenTicks([from, to]: readonly [number, number]): number[] {
  const step = step125((to - from) / 6, "up");
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}
