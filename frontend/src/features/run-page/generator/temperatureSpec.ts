// Chart of the drive's temperature over time, because throttling explains latency.

import type { TimelineSeries } from "@/api/types";
import { linearTicks } from "@/charts/scales";
import type { ChartSpec, Row } from "@/charts/spec";
import { middles, readTime, type Span, timeAxis, timeColumn } from "@/entities/run/runAxes";

const formatCelsius = (value: number): string => `${Number(value.toFixed(1))}\u00a0°C`;

/** Returns the chart; null without temperatures. */
export function temperatureSpec(series: TimelineSeries, span: Span, reachNs: number): ChartSpec | null {
  const { ticks } = series;
  const values = ticks.temperature_celsius.filter((value) => value !== null);
  if (values.length === 0) return null;
  const { domain, ticks: yTicks } = celsiusAxis(values);
  const value = (row: Row): number | null => (typeof row["celsius"] === "number" ? row["celsius"] : null);
  return {
    title: "Temperature of the drive",
    note: "Of the hottest measured drive, as it says itself. The axis does not begin at 0.",
    x: timeAxis(reachNs, span),
    y: { label: "°C", kind: "linear", domain, ticks: yTicks, format: formatCelsius },
    rows: middles(ticks).map((x, index) => ({ x, celsius: ticks.temperature_celsius[index] ?? null })),
    series: [
      {
        key: "celsius",
        label: "temperature",
        mark: "line",
        stepped: true,
        color: "--series-6",
        read: (row) => {
          const celsius = value(row);
          return celsius === null ? null : formatCelsius(celsius);
        },
        columns: [{ header: "temperature_celsius", value }],
      },
    ],
    readX: readTime,
    xColumn: timeColumn,
  };
}

/** Returns an axis of at least 10 °C with round ticks, so that a change of one degree looks small. */
function celsiusAxis(values: readonly number[]): { domain: readonly [number, number]; ticks: number[] } {
  const from = 5 * Math.floor((Math.min(...values) - 2) / 5);
  const steps = linearTicks(Math.max(10, Math.max(...values) + 2 - from));
  const ticks = steps.map((step) => from + step);
  return { domain: [from, ticks.at(-1) ?? from + 10], ticks };
}
