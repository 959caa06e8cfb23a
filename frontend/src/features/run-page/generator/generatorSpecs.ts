// Charts of the generator's lateness over time with its limit, and of the drive's temperature, because throttling explains
// latency. Points over the limit are marked, but slices, which differ in length from points, decide what is unreliable.

import type { TimelineSeries } from "@/api/types";
import { linearTicks, logTicks } from "@/charts/scales";
import { type AxisSpec, type ChartSpec, numberAt, numberSeries, type Row, type SeriesSpec } from "@/charts/spec";
import { latencyAxis, middles, runTime, type Span } from "@/entities/run/runAxes";
import { operationName } from "@/entities/run/words";
import { formatLatency, formatPercent } from "@/lib/format";
import { lateLimitName, unreliableReason } from "./generatorWords";

/** Highest number of axis labels that fit the low chart. */
const MOST_LOG_TICKS = 8;

/** Returns the axis, which includes the limit with a margin, so that its distance is visible. */
function latenessAxis(measured: readonly number[], limitNs: number | null): AxisSpec {
  const values = limitNs === null ? measured : [...measured, limitNs * 0.9, limitNs * 1.1];
  const axis = latencyAxis("lateness, p99", values, [], "auto");
  return axis.kind === "log" ? { ...axis, ticks: logTicks(axis.domain, MOST_LOG_TICKS) } : axis;
}

const LATENESS = numberSeries(
  { key: "lateness", label: "lateness, p99", mark: "line", stepped: true, color: "--series-1" },
  "lateness_p99_ns",
  (value) => formatLatency(value),
  "exact",
);

/** Returns the chart; null if no point has a known lateness. */
export function latenessSpec(
  series: TimelineSeries,
  span: Span,
  reachNs: number,
  limitNs: number | null,
): ChartSpec | null {
  const { ticks } = series;
  const measured = ticks.lateness_p99_ns.filter((value) => value !== null);
  if (measured.length === 0) return null;
  const y = latenessAxis(measured, limitNs);
  const doubts = new Map<number, string>();
  const rows = middles(ticks).map((x, index): Row => {
    const lateness = ticks.lateness_p99_ns[index] ?? null;
    const busy = ticks.busy_ratio[index] ?? null;
    const doubt = unreliableReason(lateness, busy, limitNs);
    if (doubt !== null) doubts.set(x, doubt);
    // A logarithmic axis has no 0, so operations without lateness are drawn at its lower end.
    const drawn = lateness === null ? null : Math.max(lateness, y.domain[0]);
    return { x, lateness: drawn, exact: lateness, busy, beyond: doubt === null ? null : (drawn ?? y.domain[0]) };
  });
  return {
    title: `${operationName(series.operation)}: lateness of the generator`,
    note: "Of its own making: waiting for the drive or server is not in it.",
    ...runTime(reachNs, span),
    y,
    rows,
    series: [
      {
        ...LATENESS,
        columns: [...LATENESS.columns, { header: "busy_ratio", value: (row) => numberAt(row, "busy") }],
      },
      ...(doubts.size === 0 ? [] : [beyondAllowed(doubts)]),
    ],
    limits: limitNs === null ? [] : [{ y: limitNs, label: lateLimitName(limitNs) ?? "" }],
  };
}

function beyondAllowed(doubts: ReadonlyMap<number, string>): SeriesSpec {
  return {
    key: "beyond",
    label: "beyond what is allowed",
    mark: "dots",
    color: "--series-2",
    read: (row) => {
      const doubt = doubts.get(row.x);
      const busy = numberAt(row, "busy");
      if (doubt === undefined) return null;
      return doubt === "late" || busy === null ? doubt : `${doubt}: ${formatPercent(busy)}`;
    },
    columns: [{ header: "beyond_allowed", value: (row) => doubts.get(row.x) ?? null }],
  };
}

const formatCelsius = (value: number): string => `${Number(value.toFixed(1))}\u00a0°C`;

/** Returns the chart; null without temperatures. */
export function temperatureSpec(series: TimelineSeries, span: Span, reachNs: number): ChartSpec | null {
  const { ticks } = series;
  const values = ticks.temperature_celsius.filter((value) => value !== null);
  if (values.length === 0) return null;
  const { domain, ticks: yTicks } = celsiusAxis(values);
  return {
    title: "Temperature of the drive",
    note: "Of the hottest measured drive, as it says itself. The axis does not begin at 0.",
    ...runTime(reachNs, span),
    y: { label: "°C", kind: "linear", domain, ticks: yTicks, format: formatCelsius },
    rows: middles(ticks).map((x, index) => ({ x, celsius: ticks.temperature_celsius[index] ?? null })),
    series: [
      numberSeries(
        { key: "celsius", label: "temperature", mark: "line", stepped: true, color: "--series-6" },
        "temperature_celsius",
        formatCelsius,
      ),
    ],
  };
}

/** Returns an axis of at least 10 °C with round ticks, so that a change of one degree looks small. */
function celsiusAxis(values: readonly number[]): { domain: readonly [number, number]; ticks: number[] } {
  const from = 5 * Math.floor((Math.min(...values) - 2) / 5);
  const steps = linearTicks(Math.max(10, Math.max(...values) + 2 - from));
  const ticks = steps.map((step) => from + step);
  return { domain: [from, ticks.at(-1) ?? from + 10], ticks };
}
