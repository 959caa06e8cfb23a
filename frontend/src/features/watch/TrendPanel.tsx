// Trend of a watched configuration over its runs: one quantity with limits, change points, and facts that changed.
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Trend, trendQuery, type Watch } from "@/api/watches";
import { VerdictDot } from "@/entities/verdict/VerdictDot";
import { formatLatencyInterval, formatMoment, formatRate } from "@/lib/format";
import { type Columns, DataTable } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { QueryView } from "@/ui/states";

const WIDTH = 720;
const HEIGHT = 200;

export function TrendPanel({ watch }: { watch: Watch }) {
  const query = useQuery(trendQuery(watch));
  const [quantity, setQuantity] = useState("latency_p99_ns");
  if (query.data === undefined) return <QueryView query={query} what="the trend" lines={1} height={HEIGHT} />;
  const trend = query.data;
  const bars = barsOf(trend.points, quantity);
  const steps = trend.steps.filter((step) => step.quantity === quantity);
  const undecided = trend.undecided.find((figure) => figure.quantity === quantity);
  return (
    <>
      <NativeSelect
        label="Quantity"
        data={Object.entries(QUANTITIES).map(([value, label]) => ({ value, label }))}
        value={quantity}
        onChange={(event) => setQuantity(event.currentTarget.value)}
      />
      {bars.length === 0 ? (
        <p>No run of this configuration has this quantity.</p>
      ) : (
        <TrendChart bars={bars} steps={steps} quantity={quantity} />
      )}
      <p>
        {steps.length > 0
          ? steps.map((step) => stepText(trend, step)).join(" ")
          : undecided === undefined
            ? "No change of level: the runs differ no more than runs of this history do."
            : `No change of level can be shown: ${undecided.reason}.`}
      </p>
      <Table trend={trend} quantity={quantity} />
    </>
  );
}

function stepText(trend: Trend, step: Trend["steps"][number]): string {
  const point = trend.points.find((candidate) => candidate.run_id === step.run_id);
  const from = boundsText(step.quantity, step.before, step.before);
  const to = boundsText(step.quantity, step.after, step.after);
  const when = point === undefined ? "" : ` since ${formatMoment(point.started_at)}`;
  const changed = point === undefined ? [] : changesOf(point);
  const beside = changed.length === 0 ? "No stated fact changed then." : `Changed then: ${changed.join("; ")}.`;
  return `About ${from} became ${to}${when}. ${beside}`;
}

function TrendChart({ bars, steps, quantity }: { bars: readonly Bar[]; steps: Trend["steps"]; quantity: string }) {
  const [low, high] = rangeOf(bars);
  const y = (value: number) => HEIGHT - ((value - low) / (high - low)) * HEIGHT;
  const x = (place: number) => ((place + 0.5) / bars.length) * WIDTH;
  const starts = new Set(steps.map((step) => step.run_id));
  return (
    <svg
      width="100%"
      overflow="visible"
      viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
      role="img"
      aria-label={`${QUANTITIES[quantity] ?? quantity} of ${bars.length} runs with limits; the table below has the numbers`}
    >
      {bars.map(({ point, lower, upper }, place) => (
        <g key={point.run_id}>
          {starts.has(point.run_id) ? (
            <path d={`M${x(place - 0.5)} 0V${HEIGHT}`} stroke="currentColor" strokeDasharray="4 3" />
          ) : null}
          <path d={`M${x(place)} ${y(lower)}V${y(upper)}`} stroke="currentColor" strokeWidth={1.5} opacity={0.45} />
          <VerdictDot verdict={point.verdict} x={x(place)} y={y((lower + upper) / 2)} />
          {/* Enlarges the area that shows the tooltip. */}
          <rect x={x(place - 0.5)} y={0} width={WIDTH / bars.length} height={HEIGHT} fill="transparent">
            <title>
              {[
                point.title,
                formatMoment(point.started_at),
                boundsText(quantity, lower, upper),
                ...changesOf(point),
              ].join("\n")}
            </title>
          </rect>
        </g>
      ))}
    </svg>
  );
}

function Table({ trend, quantity }: { trend: Trend; quantity: string }) {
  const bars = new Map(barsOf(trend.points, quantity).map((bar) => [bar.point.run_id, bar]));
  const columns: Columns<Trend["points"][number]> = [
    { header: "Run", accessorFn: (point) => <RunLink id={point.run_id}>{point.title}</RunLink> },
    { header: "Began", accessorFn: (point) => formatMoment(point.started_at) },
    { header: "Verdict", accessorKey: "words" },
    {
      header: QUANTITIES[quantity] ?? quantity,
      accessorFn: ({ run_id }) => {
        const bar = bars.get(run_id);
        return bar === undefined ? "not measured" : boundsText(quantity, bar.lower, bar.upper);
      },
    },
    { header: "Changed since the run before", accessorFn: (point) => changesOf(point).join("; ") || "nothing stated" },
  ];
  const rows = [...trend.points].reverse();
  return <DataTable label="Runs of this configuration, as a table" plain columns={columns} rows={rows} />;
}

type Point = Trend["points"][number];

/** Quantities of a trend with their labels. */
export const QUANTITIES: Readonly<Record<string, string>> = {
  latency_p50_ns: "p50",
  latency_p99_ns: "p99",
  "latency_p99.9_ns": "p99.9",
  latency_mean_ns: "mean",
  throughput_ops_per_s: "throughput",
};

export type Bar = { point: Point; lower: number; upper: number };

/** Returns the interval of a quantity in each run with it: confidence limits if known, otherwise measured bounds. */
export function barsOf(points: readonly Point[], quantity: string): Bar[] {
  return points.flatMap((point) => {
    const figure = point.figures.find((candidate) => candidate.quantity === quantity);
    if (figure === undefined || figure.upper === null) return [];
    return [{ point, lower: figure.lower_limit ?? figure.lower, upper: figure.upper_limit ?? figure.upper }];
  });
}

/** Returns the range of all intervals with a margin, so that its height is never zero. */
export function rangeOf(bars: readonly Bar[]): readonly [number, number] {
  const low = Math.min(...bars.map((bar) => bar.lower));
  const high = Math.max(...bars.map((bar) => bar.upper));
  const margin = Math.max((high - low) * 0.1, high * 0.01, Number.MIN_VALUE);
  return [Math.max(0, low - margin), high + margin];
}

export function boundsText(quantity: string, lower: number, upper: number): string {
  if (quantity !== "throughput_ops_per_s") return formatLatencyInterval(lower, upper);
  const ends = [formatRate(lower), formatRate(upper)];
  return ends[0] === ends[1] ? `${ends[0]}` : `${ends[0]} to ${ends[1]}`;
}

/** Returns the facts that differ from the previous run, one line each. */
export function changesOf({ facts_changed, facts_changed_count }: Point): string[] {
  const lines = facts_changed.map(
    ({ name, before, after }) => `${name}: ${before || "not stated"} → ${after || "not stated"}`,
  );
  const more = facts_changed_count - facts_changed.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}
