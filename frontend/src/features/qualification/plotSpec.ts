// Chart of a suite's plot: the API returns points, bounds and title.
import type { SuitePlot } from "@/api/qualifications";
import { logDomain, logTicks, step125 } from "@/charts/scales";
import { type AxisSpec, type Bounds, bandSeries, type ChartSpec, type Row, type SeriesSpec } from "@/charts/spec";
import { formatInteger, formatLatency } from "@/lib/format";
import { toFigures } from "@/lib/rounding";

const COLORS = ["--series-1", "--series-2", "--series-3", "--series-4", "--series-5", "--series-6"] as const;
const KIB = 1024;
const MIB = KIB * KIB;
const BYTE_UNITS = [
  [1e9, "GB/s"],
  [1e6, "MB/s"],
  [1e3, "kB/s"],
] as const;
const NBSP = "\u00a0";

export function sizeText(bytes: number): string {
  if (bytes >= MIB && bytes % MIB === 0) return `${bytes / MIB}${NBSP}MiB`;
  return bytes % KIB === 0 ? `${bytes / KIB}${NBSP}KiB` : `${bytes}${NBSP}B`;
}

/** Returns a value with three significant figures: `12,300/s`, `1.23 GB/s`, `85 µs`. */
export function valueText(value: number, unit: SuitePlot["y_unit"]): string {
  if (unit === "ns") return formatLatency(value);
  if (unit === "bytes_per_s") {
    const [size, name] = BYTE_UNITS.find(([least]) => value >= least) ?? [1, "B/s"];
    return `${toFigures(value / size)}${NBSP}${name}`;
  }
  return `${value >= 100 ? formatInteger(Number(value.toPrecision(3))) : toFigures(value)}/s`;
}

export function plotSpec(plot: SuitePlot): ChartSpec | null {
  const places = [...new Set(plot.series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const values = plot.series.flatMap(({ points }) => points.flatMap(({ lower, upper }) => [lower, upper]));
  const domain = logDomain(values);
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined || domain === null) return null;
  const isLinear = plot.x_kind === "round" || plot.x_kind === "fills";
  const pad = plot.x_kind === "round" ? 0.5 : 0.02 * (last - first);
  const rows = places.map((x): Row => {
    const row: Record<string, number | Bounds> = {};
    for (const [index, { points, is_line }] of plot.series.entries()) {
      const point = points.find((each) => each.x === x);
      if (point === undefined) continue;
      row[`${keyOf(index)} bounds`] = [point.lower, point.upper];
      row[keyOf(index)] = is_line ? point.lower : [point.lower, point.upper];
      if (!is_line) row[`${keyOf(index)} dot`] = (point.lower + point.upper) / 2;
    }
    return { x, ...row };
  });
  const xText = (x: number): string => PLACES[plot.x_kind].text(x);
  const y: AxisSpec = isLinear
    ? { ...axis(plot, [0, step125(Math.max(...values), "up")]), kind: "linear" }
    : { ...axis(plot, domain), kind: "log" };
  return {
    title: plot.title,
    note: plot.note,
    x: {
      label: plot.x_label,
      kind: isLinear ? "linear" : "log",
      domain: isLinear ? [first - pad, last + pad] : [first / 1.2, last * 1.2],
      // Write saturation has too many rounds for a tick each.
      ticks: plot.x_kind === "fills" ? linearTicks(first, last) : places,
      format: xText,
    },
    y,
    rows,
    series: plot.series.map(
      ({ label, is_line }, index): SeriesSpec => ({
        ...bandSeries(
          { key: keyOf(index), label, color: COLORS[index % COLORS.length] ?? COLORS[0] },
          [`${label}, lower_${plot.y_unit}`, `${label}, upper_${plot.y_unit}`],
          (lower, upper) => {
            const [low, high] = [valueText(lower, plot.y_unit), valueText(upper, plot.y_unit)];
            return low === high ? low : `${low} to ${high}`;
          },
          `${keyOf(index)} bounds`,
        ),
        ...(is_line ? { mark: "line", dashed: index % 2 === 1 } : { dots: `${keyOf(index)} dot` }),
      }),
    ),
    readX: ({ x }) => PLACES[plot.x_kind].read(xText(x)),
    xColumn: { header: PLACES[plot.x_kind].header, value: ({ x }) => x },
  };
}

type PlotPoint = {
  readonly header: string;
  readonly text: (x: number) => string;
  readonly read: (text: string) => string;
};

const PLACES: { readonly [Kind in SuitePlot["x_kind"]]: PlotPoint } = {
  round: { header: "round", text: formatInteger, read: (text) => `round ${text}` },
  bytes: { header: "block_bytes", text: sizeText, read: (text) => `at ${text}` },
  depth: { header: "depth", text: formatInteger, read: (text) => `${text} under way` },
  fills: { header: "fills", text: toFigures, read: (text) => `after ${text} times the capacity` },
  idle_s: {
    header: "idle_s",
    text: (x) => `${formatInteger(x)}${NBSP}s`,
    read: (text) => `after ${text} of idle time`,
  },
};

function linearTicks(first: number, last: number): number[] {
  return [0, 1, 2, 3, 4].map((part) => first + ((last - first) * part) / 4);
}

const keyOf = (index: number): string => `s${index}`;

function axis(plot: SuitePlot, domain: readonly [number, number]): Omit<AxisSpec, "kind"> {
  const linear = [0, 1, 2, 3, 4, 5].map((part) => (domain[1] * part) / 5);
  return {
    label: plot.y_label,
    domain,
    ticks: domain[0] === 0 ? linear : logTicks(domain),
    format: (value) => (value === 0 ? "0" : valueText(value, plot.y_unit)),
  };
}
