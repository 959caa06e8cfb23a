// Builds charts for a group of gauges on the time axis of a run or campaign: means per step, and the greatest second in
// the table.
import type { Gauges } from "@/api/observations";
import { linearTicks } from "@/charts/scales";
import { type ChartSpec, numberAt, numberSeries, type Row, type SeriesSpec } from "@/charts/spec";
import { runTime, type Span } from "@/entities/run/runAxes";
import { formatBytes, formatCount, joinParts } from "@/lib/format";

type Gauge = Gauges["gauges"][number];
type Unit = Gauge["unit"];

const TITLES: Record<Gauge["group"], string> = {
  cpu: "Processors",
  core: "Cores",
  disk: "Disks",
  network: "Network",
  pressure: "Work that waited",
  memory: "Memory",
  temperature: "Temperatures",
  power: "Power",
  observer: "The observer itself",
};

const UNITS: Record<Unit, { label: string; column: string; format: (value: number) => string }> = {
  percent: { label: "%", column: "percent", format: (value) => `${Number(value.toFixed(1))}\u00a0%` },
  bytes: { label: "bytes", column: "bytes", format: formatBytes },
  "bytes/s": { label: "bytes per second", column: "bytes_per_s", format: (value) => `${formatBytes(value)}/s` },
  "1/s": { label: "per second", column: "per_s", format: (value) => `${formatCount(value)}/s` },
  count: { label: "count", column: "count", format: (value) => formatCount(value) },
  celsius: { label: "°C", column: "celsius", format: (value) => `${Number(value.toFixed(1))}\u00a0°C` },
  watts: { label: "W", column: "watts", format: (value) => `${Number(value.toFixed(1))}\u00a0W` },
};

const COLORS = ["--series-1", "--series-2", "--series-6", "--series-5", "--series-3", "--series-4"] as const;
const SHOWN_AT_FIRST = 4;

/** Returns a gauge's label: `nvme0n1 busy`, `user`, `package-0 processors`. */
const gaugeName = ({ of, name }: Pick<Gauge, "of" | "name">): string => joinParts([of, name], " ");

function lineOf(gauge: Gauge, index: number): SeriesSpec {
  const { column, format } = UNITS[gauge.unit];
  const name = gaugeName(gauge);
  const stem = `${name.replaceAll(/[^a-zA-Z0-9]+/g, "_")}_${column}`;
  const mean = numberSeries(
    {
      key: `mean${index}`,
      label: name,
      mark: "line",
      stepped: true,
      color: COLORS[index % COLORS.length] ?? COLORS[0],
      hiddenAtFirst: index >= SHOWN_AT_FIRST,
    },
    stem,
    format,
  );
  const greatest = { header: `${stem}_greatest`, value: (row: Row) => numberAt(row, `greatest${index}`) };
  return { ...mean, columns: [...mean.columns, greatest] };
}

/** Returns a chart for each unit in the group. Gauges with the largest peak come first, except for processors. */
export function gaugeSpecs(gauges: Gauges, host: string, span: Span, reachNs: number): ChartSpec[] {
  const units = [...new Set(gauges.gauges.map(({ unit }) => unit))];
  return units.flatMap((unit) => {
    const chosen = gauges.gauges.filter((gauge) => gauge.unit === unit && gauge.mean.some((value) => value !== null));
    const peak = (gauge: Gauge): number => Math.max(0, ...gauge.greatest.map((value) => value ?? 0));
    const ordered = chosen[0]?.group === "cpu" ? chosen : [...chosen].sort((a, b) => peak(b) - peak(a));
    const group = ordered[0]?.group;
    if (group === undefined) return [];
    const half = (gauges.step_s * 1e9) / 2;
    const rows = gauges.offset_ns.map((start, step): Row => {
      const row: { x: number; [key: string]: number | null } = { x: start + half };
      for (const [index, gauge] of ordered.entries()) {
        row[`mean${index}`] = gauge.mean[step] ?? null;
        row[`greatest${index}`] = gauge.greatest[step] ?? null;
      }
      return row;
    });
    const ticks = unit === "percent" ? [0, 25, 50, 75, 100] : linearTicks(Math.max(...ordered.map(peak)));
    const { label, format } = UNITS[unit];
    return [
      {
        title: `${TITLES[group]} of ${host}${units.length > 1 ? `, ${label}` : ""}`,
        note:
          gauges.step_s === 1
            ? "Each second."
            : `Means of ${gauges.step_s} seconds each; the table also has the greatest second.`,
        ...runTime(reachNs, span),
        y: { label, kind: "linear", domain: [0, ticks.at(-1) ?? 1], ticks, format },
        rows,
        series: ordered.map(lineOf),
      },
    ];
  });
}
