// Heatmap of latency over time. Zooming requests finer data; until it arrives, the coarser picture is stretched.
import { Button } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { heatmapQuery } from "@/api/queries";
import type { Heatmap as HeatmapData, TimelineSeries } from "@/api/types";
import { standaloneRaster } from "@/charts/exportImage";
import { Figure } from "@/charts/Figure";
import { FRAME } from "@/charts/labels";
import { findingText, latencyDomain, momentText, peaksOf, rangeText, STEPS } from "@/entities/run/heatmap/cells";
import { type Extent, isWhole, middleOf, moved, STEP, within, ZOOM, zoomed } from "@/entities/run/heatmap/extent";
import { clockName, operationName } from "@/entities/run/words";
import { formatInteger } from "@/lib/format";
import type { Change } from "@/lib/search";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { QueryView } from "@/ui/states";
import { HEIGHT, InteractiveHeatmap } from "./InteractiveHeatmap";

const LIVE_MS = 10_000;

/** Visible range in seconds since the start of the run, as search parameters. */
type PartView = { from?: number; to?: number };

type HeatmapProps = {
  runId: string;
  series: TimelineSeries;
  view: PartView;
  onView: (change: Change<PartView>) => void;
  live: boolean;
};

export function Heatmap({ runId, series, view, onView, live }: HeatmapProps) {
  const { operation, clock } = series;
  const all = useQuery({
    ...heatmapQuery(runId, { operation, clock }),
    refetchInterval: live ? LIVE_MS : false,
  });
  if (all.data === undefined) return <QueryView query={all} what="the heatmap" lines={1} height={HEIGHT} />;
  if (all.data.columns.length === 0) return null;
  return <HeatmapView runId={runId} series={series} overview={all.data} view={view} onView={onView} />;
}

type HeatmapViewProps = Omit<HeatmapProps, "live"> & { overview: HeatmapData };

function HeatmapView({ runId, series, overview, view, onView }: HeatmapViewProps) {
  const { operation, clock } = series;
  const figure = useRef<HTMLElement>(null);
  const title = `${operationName(operation)}: every bucket over time, ${clockName(clock)}`;
  const full = useMemo((): Extent => ({ fromNs: 0, toNs: Math.max(overview.to_ns, 1) }), [overview.to_ns]);
  const [shown, show] = useExtent(full, view, onView);
  const zoomedIn = !isWhole(full, shown);
  // Continuous moves request only the final position.
  const [settled] = useDebouncedValue(shown, 150);
  const part = useQuery({
    ...heatmapQuery(runId, { operation, clock, from_ns: settled.fromNs, to_ns: settled.toNs }),
    enabled: zoomedIn,
  });
  const fine = zoomedIn && part.data?.operation === operation && part.data.clock === clock ? part.data : null;
  const map = fine !== null && fine.columns.length > 0 ? fine : overview;
  const limits = useMemo(() => series.limits.map((limit) => limit.threshold_ns), [series.limits]);
  const domain = useMemo(() => latencyDomain(overview.rows, limits), [overview.rows, limits]);

  const table = () => ({
    header: ["start_ns", "duration_ns", "latency_from_ns", "latency_below_ns", "count"],
    rows: map.columns.flatMap((column) =>
      column.counts.map((count, index) => {
        const row = map.rows[column.first_row + index];
        return [column.start_ns, column.duration_ns, row?.lower_ns ?? null, row?.upper_ns ?? null, count];
      }),
    ),
  });
  /** Returns the visible heatmap with its axes as SVG; null before it is drawn. */
  const picture = (): string | null => {
    const canvas = figure.current?.querySelector("canvas");
    const axes = canvas?.parentElement?.querySelector("svg");
    if (canvas == null || axes == null) return null;
    return standaloneRaster(axes, { canvas, x: FRAME.left, y: FRAME.top }, title, "latency");
  };

  const controls = (
    <>
      <Button.Group>
        <Button size="xs" onClick={() => show(moved(full, shown, -STEP))} disabled={!zoomedIn}>
          Earlier
        </Button>
        <Button size="xs" onClick={() => show(moved(full, shown, STEP))} disabled={!zoomedIn}>
          Later
        </Button>
      </Button.Group>
      <Button.Group>
        <Button size="xs" onClick={() => show(zoomed(full, shown, ZOOM, middleOf(shown)))}>
          Zoom in
        </Button>
        <Button size="xs" onClick={() => show(zoomed(full, shown, 1 / ZOOM, middleOf(shown)))} disabled={!zoomedIn}>
          Zoom out
        </Button>
        <Button size="xs" onClick={() => show(full)} disabled={!zoomedIn}>
          Whole run
        </Button>
      </Button.Group>
    </>
  );

  return (
    <Figure
      figure={figure}
      title={title}
      note={findingText(map)}
      controls={controls}
      stem={`latencies-over-time-${runId.slice(-8)}`}
      table={table}
      picture={picture}
    >
      {(asTable) => (
        <div className="stack-8" style={{ paddingTop: 8 }}>
          {asTable ? (
            <CellTable map={map} />
          ) : (
            <InteractiveHeatmap
              overview={overview}
              fine={fine}
              map={map}
              full={full}
              shown={shown}
              domain={domain}
              limits={limits}
              onShow={show}
            />
          )}
          <Legend />
        </div>
      )}
    </Figure>
  );
}

const SWATCH = { display: "inline-block", width: 18, height: 10 };
const NO_DATA = {
  ...SWATCH,
  background: "repeating-linear-gradient(135deg, var(--nodata) 0 1px, transparent 1px 5px)",
};

function Legend() {
  return (
    <p className="dim smaller fine">
      few{" "}
      <span style={{ display: "inline-flex", gap: 2, verticalAlign: -1 }} aria-hidden="true">
        {Array.from({ length: STEPS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a scale of colours never changes
          <span key={index} style={{ ...SWATCH, background: `var(--h${index + 1})` }} />
        ))}
      </span>{" "}
      many operations, log scale · <span style={NO_DATA} aria-hidden="true" /> no data · lines: limits
    </p>
  );
}

/** Renders the heatmap as a table, with one row per column of the picture. */
function CellTable({ map }: { map: HeatmapData }) {
  const peakText = (column: HeatmapData["columns"][number], peak: "usual" | "slowest"): string | null => {
    const peaks = peaksOf(map, column);
    return peaks === null ? null : rangeText(peaks[peak]);
  };
  const columns: Columns<HeatmapData["columns"][number]> = [
    { header: "Begins at", accessorFn: ({ start_ns }) => momentText(start_ns), meta: ROW_HEADER },
    { header: "Operations", accessorFn: ({ count }) => formatInteger(count), meta: RIGHT },
    { header: "Misses", accessorFn: ({ miss_count }) => formatInteger(miss_count), meta: RIGHT },
    { header: "Most of them", accessorFn: (column) => peakText(column, "usual") ?? "none completed" },
    { header: "Slowest", accessorFn: (column) => peakText(column, "slowest") },
  ];
  const label = "Latencies over time, as a table";
  return <DataTable label={label} plain maxHeight={HEIGHT} columns={columns} rows={map.columns} />;
}

const WRITE_AFTER_MS = 300;

/** Returns the shown range and its setter; the setter updates the address with a delay. */
function useExtent(
  full: Extent,
  view: PartView,
  onView: (change: Change<PartView>) => void,
): [Extent, (next: Extent) => void] {
  const requested = useMemo(
    () =>
      view.from === undefined || view.to === undefined
        ? full
        : within(full, { fromNs: view.from * 1e9, toNs: view.to * 1e9 }),
    [full, view.from, view.to],
  );
  const [own, setOwn] = useState<Extent | null>(null);
  const write = useDebouncedCallback((next: Extent) => {
    setOwn(null);
    const isAll = isWhole(full, next);
    onView({ from: isAll ? undefined : next.fromNs / 1e9, to: isAll ? undefined : next.toNs / 1e9 });
  }, WRITE_AFTER_MS);
  const show = useCallback(
    (next: Extent) => {
      setOwn(next);
      write(next);
    },
    [write],
  );
  return [own ?? requested, show];
}
