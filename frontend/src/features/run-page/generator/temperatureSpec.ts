// Chart of the drive's temperature over time, because throttling explains latency.

import type { TimelineSeries } from "@/api/types";
import { linearTicks } from "@/charts/scales";
import { type ChartSpec, numberSeries } from "@/charts/spec";
import { middles, runTime, type Span } from "@/entities/run/runAxes";

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
