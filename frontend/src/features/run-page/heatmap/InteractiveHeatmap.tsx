// Interactive heatmap with axes and readout; a slider for assistive technology, as all charts.
import { useMergedRef } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import type { Heatmap as HeatmapData } from "@/api/types";
import { useCursor } from "@/charts/cursor";
import { FRAME } from "@/charts/labels";
import { type Domain, logTicks, positionOf, timeTicks } from "@/charts/scales";
import { useDrawnWidth } from "@/charts/useDeferredDrawing";
import { columnAt, columnText, depthOf, momentText } from "@/entities/run/heatmap/cells";
import { type Extent, lengthOf, middleOf, moved, STEP, within, ZOOM, zoomed } from "@/entities/run/heatmap/extent";
import { useHeatmapCanvas } from "@/entities/run/heatmap/paint";
import { formatExactLatency } from "@/lib/format";
import { indexAfter } from "@/ui/gridKeys";

export const HEIGHT = 320;
const INNER = HEIGHT - FRAME.top - FRAME.bottom;
const AXIS = "time since the start";

type InteractiveHeatmapProps = {
  overview: HeatmapData;
  fine: HeatmapData | null;
  map: HeatmapData;
  full: Extent;
  shown: Extent;
  domain: Domain;
  limits: readonly number[];
  onShow: (next: Extent) => void;
};

/** Renders the heatmap, and handles keyboard, pointer and wheel. */
export function InteractiveHeatmap(props: InteractiveHeatmapProps) {
  const { overview, fine, map, full, shown, domain, limits, onShow } = props;
  const { ref: sizeRef, width } = useDrawnWidth();
  const frame = useRef<HTMLDivElement | null>(null);
  const ref = useMergedRef(sizeRef, frame);
  const [cursorNs, setCursor] = useCursor(AXIS);
  const [drag, setDrag] = useState<{ fromNs: number; toNs: number } | null>(null);
  const inner = Math.max(0, width - FRAME.left - FRAME.right);
  const inside = map.columns.filter(
    ({ start_ns, duration_ns }) => start_ns < shown.toNs && start_ns + duration_ns > shown.fromNs,
  );
  const at = cursorNs === null || cursorNs < shown.fromNs || cursorNs > shown.toNs ? null : cursorNs;
  const index = at === null ? -1 : columnAt(inside, at);
  const column = inside[index];
  const placeOf = (ns: number): number => FRAME.left + (inner * (ns - shown.fromNs)) / lengthOf(shown);
  const momentAt = useCallback(
    (clientX: number): number => {
      const box = frame.current?.getBoundingClientRect();
      if (box === undefined || inner === 0) return shown.fromNs;
      const place = Math.min(1, Math.max(0, (clientX - box.left - FRAME.left) / inner));
      return shown.fromNs + place * lengthOf(shown);
    },
    [inner, shown],
  );

  // Ctrl and wheel zoom the heatmap; React's passive listener could not prevent the page zoom.
  useEffect(() => {
    const element = frame.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      onShow(zoomed(full, shown, event.deltaY < 0 ? ZOOM : 1 / ZOOM, momentAt(event.clientX)));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [full, shown, momentAt, onShow]);

  const onPointerUp = () => {
    if (drag !== null && inner > 0) {
      const [fromNs, toNs] = [Math.min(drag.fromNs, drag.toNs), Math.max(drag.fromNs, drag.toNs)];
      if ((inner * (toNs - fromNs)) / lengthOf(shown) > LEAST_DRAG_PX) onShow(within(full, { fromNs, toNs }));
    }
    setDrag(null);
  };
  const onPointerMove = (event: PointerEvent) => {
    const ns = momentAt(event.clientX);
    setCursor(ns);
    if (drag !== null) setDrag({ ...drag, toNs: ns });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const around = at ?? middleOf(shown);
    const change: Record<string, () => void> = {
      "+": () => onShow(zoomed(full, shown, ZOOM, around)),
      "=": () => onShow(zoomed(full, shown, ZOOM, around)),
      "-": () => onShow(zoomed(full, shown, 1 / ZOOM, around)),
      "0": () => onShow(full),
      Escape: () => setCursor(null),
    };
    const act = change[event.key];
    const nextIndex = indexAfter(event.key, index, inside.length);
    if (act === undefined && nextIndex === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (act !== undefined) act();
    else if (event.shiftKey && event.key.startsWith("Arrow"))
      onShow(moved(full, shown, event.key === "ArrowLeft" ? -STEP : STEP));
    else {
      const next = inside[nextIndex ?? 0];
      if (next !== undefined) setCursor(next.start_ns + next.duration_ns / 2);
    }
  };

  const spoken = column === undefined ? "No moment chosen" : columnText(map, column);
  const keys = "Arrow keys move, + and − zoom, Shift with arrow keys moves along, 0 shows the whole run.";
  return (
    <>
      <p className="dim smaller fine">latency</p>
      <div
        ref={ref}
        style={{ position: "relative", height: HEIGHT, touchAction: "pan-y", userSelect: "none" }}
        tabIndex={0}
        role="slider"
        aria-label={`Read the heatmap. ${keys}`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, inside.length - 1)}
        aria-valuenow={Math.max(0, index)}
        aria-valuetext={spoken}
        title={keys}
        onPointerDown={(event) => {
          const ns = momentAt(event.clientX);
          setDrag({ fromNs: ns, toNs: ns });
          event.currentTarget.setPointerCapture?.(event.pointerId);
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
        onPointerLeave={() => setCursor(null)}
        onBlur={() => setCursor(null)}
        onKeyDown={onKeyDown}
      >
        <Cells overview={overview} fine={fine} shown={shown} domain={domain} width={inner} />
        {width > 0 ? <Axes shown={shown} domain={domain} width={width} limits={limits} /> : null}
        {at === null ? null : <div style={{ ...UPRIGHT, left: placeOf(at), width: 1, background: "var(--ink)" }} />}
        {drag === null ? null : (
          <div
            style={{
              ...UPRIGHT,
              left: placeOf(Math.min(drag.fromNs, drag.toNs)),
              width: Math.abs(placeOf(drag.toNs) - placeOf(drag.fromNs)),
              background: "var(--accent)",
              opacity: 0.25,
            }}
          />
        )}
      </div>
      <p className="muted small num no-print" style={{ minHeight: "2.5rem", lineHeight: "1.25rem" }} aria-hidden="true">
        {column === undefined ? "Point at a moment to read it; drag to zoom." : `${spoken}.`}
      </p>
    </>
  );
}

const LEAST_DRAG_PX = 6;
const UPRIGHT = { position: "absolute", top: FRAME.top, height: INNER, pointerEvents: "none" } as const;

type CellsProps = Pick<InteractiveHeatmapProps, "overview" | "fine" | "shown" | "domain"> & { width: number };

function Cells({ overview, fine, shown, domain, width }: CellsProps) {
  const canvas = useHeatmapCanvas(overview, fine, { domain, height: INNER, width, shown });
  return (
    <canvas
      ref={canvas}
      style={{
        position: "absolute",
        left: FRAME.left,
        top: FRAME.top,
        width: `calc(100% - ${FRAME.left + FRAME.right}px)`,
        height: INNER,
        background: "repeating-linear-gradient(135deg, var(--nodata) 0 1px, transparent 1px 7px)",
      }}
    />
  );
}

const AXES = {
  position: "absolute",
  inset: 0,
  maxWidth: "100%",
  pointerEvents: "none",
  fill: "var(--ink-3)",
  fontSize: "0.75rem",
} as const;

type AxesProps = { shown: Extent; domain: Domain; width: number; limits: readonly number[] };

function Axes({ shown, domain, width, limits }: AxesProps) {
  const inner = width - FRAME.left - FRAME.right;
  const times = timeTicks([shown.fromNs, shown.toNs], Math.max(2, Math.floor(inner / 110)));
  const depth = (ns: number): number => FRAME.top + INNER * depthOf(ns, domain);
  return (
    <svg width={width} height={HEIGHT} style={AXES} aria-hidden="true">
      {logTicks(domain, 10).map((tick) => (
        <text key={tick} x={FRAME.left - 8} y={depth(tick) + 4} textAnchor="end">
          {formatExactLatency(tick)}
        </text>
      ))}
      {times.map((tick) => {
        const place = positionOf(tick, [shown.fromNs, shown.toNs], "linear");
        return (
          <text
            key={tick}
            x={FRAME.left + inner * place}
            y={HEIGHT - FRAME.bottom + 18}
            textAnchor={place > 0.96 ? "end" : place < 0.02 ? "start" : "middle"}
          >
            {tick === 0 ? "0" : momentText(tick)}
          </text>
        );
      })}
      {limits.map((limit) => (
        <line
          key={limit}
          style={{ stroke: "var(--ink)", strokeWidth: "1.5" }}
          x1={FRAME.left}
          x2={width - FRAME.right}
          y1={depth(limit)}
          y2={depth(limit)}
        />
      ))}
      <text x={FRAME.left + inner / 2} y={HEIGHT - 4} textAnchor="middle">
        {AXIS}
      </text>
    </svg>
  );
}
