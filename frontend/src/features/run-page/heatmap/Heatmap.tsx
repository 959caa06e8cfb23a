// Every bucket of the run over time: how many operations took how long, when. Zooming asks the API for shorter stretches; until they
// are here the coarser picture is stretched.
import { ActionIcon, Button, useComputedColorScheme } from "@mantine/core";
import { useElementSize, useMergedRef } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { heatmapQuery } from "@/api/queries";
import type { Heatmap as HeatmapData, TimelineSeries } from "@/api/types";
import { useCursor } from "@/charts/cursor";
import { DownloadMenu } from "@/charts/DownloadMenu";
import { pngOf, standaloneRaster } from "@/charts/exportImage";
import { FRAME } from "@/charts/Plot";
import { type Domain, logTicks, positionOf, timeTicks } from "@/charts/scales";
import { clockName, operationName } from "@/entities/run/words";
import { saveFile, toCsv } from "@/lib/csv";
import { formatExactLatency, formatInteger } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { IconTable } from "@/ui/icons";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";
import {
  columnAt,
  columnText,
  depthOf,
  findingText,
  latencyDomain,
  momentText,
  peaksOf,
  rangeText,
  STEPS,
} from "./cells";
import { type Extent, isWhole, lengthOf, moved, within, zoomed } from "./extent";
import classes from "./Heatmap.module.css";
import { copied, painted, paletteOf } from "./paint";

const HEIGHT = 320;
const INNER = HEIGHT - FRAME.top - FRAME.bottom;
const AXIS = "time since the start";
const ZOOM = 2;
const STEP = 0.25;
const WRITE_AFTER_MS = 300;
const LIVE_MS = 10_000;

/** The part that is shown, in seconds since the start of the run, as it stands in the address. */
type PartView = { from?: number; to?: number };
type PartChange = { [Key in keyof PartView]: PartView[Key] | undefined };

type HeatmapProps = {
  runId: string;
  series: TimelineSeries;
  view: PartView;
  onView: (change: PartChange) => void;
  live: boolean;
};

export function Heatmap({ runId, series, view, onView, live }: HeatmapProps) {
  const { operation, clock } = series;
  const all = useQuery({
    ...heatmapQuery(runId, { operation, clock }),
    refetchInterval: live ? LIVE_MS : false,
  });
  if (all.error !== null && all.data === undefined)
    return <Failed error={all.error} what="The heatmap" onRetry={() => void all.refetch()} />;
  if (all.data === undefined) return <Loading what="the heatmap" lines={1} height={HEIGHT} />;
  if (all.data.columns.length === 0) return null;
  return <Picture runId={runId} series={series} whole={all.data} view={view} onView={onView} />;
}

type PictureProps = Omit<HeatmapProps, "live"> & { whole: HeatmapData };

function Picture({ runId, series, whole, view, onView }: PictureProps) {
  const { operation, clock } = series;
  const titleId = useId();
  const noteId = useId();
  const figure = useRef<HTMLElement>(null);
  const title = `${operationName(operation)}: every bucket over time, ${clockName(clock)}`;
  const [asTable, setAsTable] = useState(false);
  const full = useMemo((): Extent => ({ fromNs: 0, toNs: Math.max(whole.to_ns, 1) }), [whole.to_ns]);
  const [shown, show] = useExtent(full, view, onView);
  const zoomedIn = !isWhole(full, shown);
  const settled = useSettled(shown);
  const part = useQuery({
    ...heatmapQuery(runId, { operation, clock, from_ns: settled.fromNs, to_ns: settled.toNs }),
    enabled: zoomedIn,
  });
  const fine = zoomedIn && part.data?.operation === operation && part.data.clock === clock ? part.data : null;
  const map = fine !== null && fine.columns.length > 0 ? fine : whole;
  const limits = useMemo(() => series.limits.map((limit) => limit.threshold_ns), [series.limits]);
  const domain = useMemo(() => latencyDomain(whole.rows, limits), [whole.rows, limits]);

  const saveCsv = () => {
    const cells = map.columns.flatMap((column) =>
      column.counts.map((count, index) => {
        const row = map.rows[column.first_row + index];
        return [column.start_ns, column.duration_ns, row?.lower_ns ?? null, row?.upper_ns ?? null, count];
      }),
    );
    const header = ["start_ns", "duration_ns", "latency_from_ns", "latency_below_ns", "count"];
    save("csv", new Blob([toCsv(header, cells)], { type: "text/csv;charset=utf-8" }));
  };
  const save = (ending: string, content: Blob) => saveFile(`latencies-over-time-${runId.slice(-8)}.${ending}`, content);
  /** What is on screen: the cells with their axes. */
  const picture = (): string | null => {
    const canvas = figure.current?.querySelector("canvas");
    const axes = canvas?.parentElement?.querySelector("svg");
    if (canvas == null || axes == null) return null;
    return standaloneRaster(axes, { canvas, x: FRAME.left, y: FRAME.top }, title, "latency");
  };
  const savePng = async () => {
    const svg = picture();
    if (svg !== null) save("png", await pngOf(svg));
  };

  return (
    <figure ref={figure} className={classes["figure"]} aria-labelledby={titleId} aria-describedby={noteId}>
      <figcaption className={classes["head"]}>
        <div className={classes["titles"]}>
          <h3 id={titleId}>{title}</h3>
          <p id={noteId} className="dim">
            {findingText(map)}
          </p>
        </div>
        <div className={`${classes["tools"]} no-print`}>
          <Button.Group>
            <Button size="xs" variant="default" onClick={() => show(moved(full, shown, -STEP))} disabled={!zoomedIn}>
              Earlier
            </Button>
            <Button size="xs" variant="default" onClick={() => show(moved(full, shown, STEP))} disabled={!zoomedIn}>
              Later
            </Button>
          </Button.Group>
          <Button.Group>
            <Button size="xs" variant="default" onClick={() => show(zoomed(full, shown, ZOOM, middleOf(shown)))}>
              Zoom in
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => show(zoomed(full, shown, 1 / ZOOM, middleOf(shown)))}
              disabled={!zoomedIn}
            >
              Zoom out
            </Button>
            <Button size="xs" variant="default" onClick={() => show(full)} disabled={!zoomedIn}>
              Whole run
            </Button>
          </Button.Group>
          <ActionIcon
            variant={asTable ? "light" : "subtle"}
            color="gray"
            aria-label="View as table"
            title={asTable ? "View as heatmap" : "View as table"}
            aria-pressed={asTable}
            onClick={() => setAsTable((before) => !before)}
          >
            <IconTable />
          </ActionIcon>
          <DownloadMenu
            onCsv={saveCsv}
            onPng={() => void savePng()}
            onSvg={() => {
              const svg = picture();
              if (svg !== null) save("svg", new Blob([svg], { type: "image/svg+xml" }));
            }}
            withoutPicture={asTable}
          />
        </div>
      </figcaption>
      {asTable ? (
        <CellTable map={map} />
      ) : (
        <Readable
          whole={whole}
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
    </figure>
  );
}

const middleOf = ({ fromNs, toNs }: Extent): number => (fromNs + toNs) / 2;

/** What is shown, at once in the picture and a moment later in the address. */
function useExtent(
  full: Extent,
  view: PartView,
  onView: (change: PartChange) => void,
): [Extent, (next: Extent) => void] {
  const asked = useMemo(
    () =>
      view.from === undefined || view.to === undefined
        ? full
        : within(full, { fromNs: view.from * 1e9, toNs: view.to * 1e9 }),
    [full, view.from, view.to],
  );
  const [own, setOwn] = useState<Extent | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const write = useRef(onView);
  write.current = onView;
  useEffect(() => () => void (timer.current === null || clearTimeout(timer.current)), []);
  const show = useCallback(
    (next: Extent) => {
      setOwn(next);
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        timer.current = null;
        setOwn(null);
        const isAll = isWhole(full, next);
        write.current({ from: isAll ? undefined : next.fromNs / 1e9, to: isAll ? undefined : next.toNs / 1e9 });
      }, WRITE_AFTER_MS);
    },
    [full],
  );
  return [own ?? asked, show];
}

/** The extent once it has stood still, so that moving along does not ask for every place on the way. */
function useSettled(shown: Extent): Extent {
  const [settled, setSettled] = useState(shown);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(shown), WRITE_AFTER_MS / 2);
    return () => clearTimeout(timer);
  }, [shown]);
  return settled;
}

type ReadableProps = {
  whole: HeatmapData;
  fine: HeatmapData | null;
  map: HeatmapData;
  full: Extent;
  shown: Extent;
  domain: Domain;
  limits: readonly number[];
  onShow: (next: Extent) => void;
};

/** The picture with its readout: a slider to assistive technology, as every chart of the page. */
function Readable({ whole, fine, map, full, shown, domain, limits, onShow }: ReadableProps) {
  const { ref: sizeRef, width } = useElementSize();
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

  // A wheel with Ctrl zooms; React's own listener could not keep the page from zooming too.
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
    const page = Math.max(1, Math.round(inside.length / 10));
    const from = index < 0 ? 0 : index;
    const to: Record<string, number> = {
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      ArrowRight: index < 0 ? 0 : from + 1,
      ArrowUp: index < 0 ? 0 : from + 1,
      PageDown: from - page,
      PageUp: from + page,
      Home: 0,
      End: inside.length - 1,
    };
    const act = change[event.key];
    const wanted = to[event.key];
    if (act === undefined && wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (act !== undefined) act();
    else if (event.shiftKey && event.key.startsWith("Arrow"))
      onShow(moved(full, shown, event.key === "ArrowLeft" ? -STEP : STEP));
    else {
      const next = inside[Math.min(inside.length - 1, Math.max(0, wanted ?? 0))];
      if (next !== undefined) setCursor(next.start_ns + next.duration_ns / 2);
    }
  };

  const spoken = column === undefined ? "No moment chosen" : columnText(map, column);
  const keys = "Arrow keys move, + and − zoom, Shift with arrow keys moves along, 0 shows the whole run.";
  return (
    <>
      <p className={classes["ylabel"]}>latency</p>
      <div
        ref={ref}
        className={classes["plot"]}
        style={{ height: HEIGHT }}
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
        <Cells whole={whole} fine={fine} shown={shown} domain={domain} width={inner} />
        {width > 0 ? <Axes shown={shown} domain={domain} width={width} limits={limits} /> : null}
        {at === null ? null : <div className={classes["cursor"]} style={{ left: placeOf(at), ...UPRIGHT }} />}
        {drag === null ? null : (
          <div
            className={classes["drag"]}
            style={{
              left: placeOf(Math.min(drag.fromNs, drag.toNs)),
              width: Math.abs(placeOf(drag.toNs) - placeOf(drag.fromNs)),
              ...UPRIGHT,
            }}
          />
        )}
      </div>
      <p className={classes["readout"]} aria-hidden="true">
        {column === undefined ? "Point at a moment to read it; drag to zoom." : `${spoken}.`}
      </p>
    </>
  );
}

const LEAST_DRAG_PX = 6;
const UPRIGHT = { top: FRAME.top, height: INNER };

type CellsProps = Pick<ReadableProps, "whole" | "fine" | "shown" | "domain"> & { width: number };

function Cells({ whole, fine, shown, domain, width }: CellsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme("light");
  const [palette, setPalette] = useState<ReturnType<typeof paletteOf> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is what changes the colours
  useLayoutEffect(() => {
    if (canvas.current !== null) setPalette(paletteOf(canvas.current));
  }, [scheme]);
  const coarse = useMemo(
    () => (palette === null ? null : painted(whole, domain, INNER, palette)),
    [whole, domain, palette],
  );
  const close = useMemo(
    () => (palette === null || fine === null ? null : painted(fine, domain, INNER, palette)),
    [fine, domain, palette],
  );
  useLayoutEffect(() => {
    if (canvas.current === null || width <= 0) return;
    canvas.current.width = Math.round(width);
    canvas.current.height = INNER;
    copied(canvas.current, [coarse, close], shown);
  }, [coarse, close, shown, width]);
  return (
    <canvas
      ref={canvas}
      className={classes["cells"]}
      style={{ left: FRAME.left, top: FRAME.top, width: `calc(100% - ${FRAME.left + FRAME.right}px)`, height: INNER }}
    />
  );
}

type AxesProps = { shown: Extent; domain: Domain; width: number; limits: readonly number[] };

function Axes({ shown, domain, width, limits }: AxesProps) {
  const inner = width - FRAME.left - FRAME.right;
  const times = timeTicks([shown.fromNs, shown.toNs], Math.max(2, Math.floor(inner / 110)));
  const depth = (ns: number): number => FRAME.top + INNER * depthOf(ns, domain);
  return (
    <svg width={width} height={HEIGHT} className={classes["axes"]} aria-hidden="true">
      {logTicks(domain, 10).map((tick) => (
        <text key={tick} x={FRAME.left - 8} y={depth(tick) + 4} textAnchor="end">
          {formatExactLatency(nanoseconds(tick))}
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
          className={classes["limit"]}
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

function Legend() {
  return (
    <p className={classes["legend"]}>
      few{" "}
      <span className={classes["scale"]} aria-hidden="true">
        {Array.from({ length: STEPS }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a scale of colours never changes
          <span key={index} style={{ background: `var(--h${index + 1})` }} />
        ))}
      </span>{" "}
      many operations, log scale · <span className={classes["hatched"]} aria-hidden="true" /> no data · lines: limits
    </p>
  );
}

function CellTable({ map }: { map: HeatmapData }) {
  return (
    <ScrollRegion label="Latencies over time, as a table" maxHeight={HEIGHT}>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Begins at</th>
            <th scope="col" className="right">
              Operations
            </th>
            <th scope="col" className="right">
              Misses
            </th>
            <th scope="col">Most of them</th>
            <th scope="col">Slowest</th>
          </tr>
        </thead>
        <tbody>
          {map.columns.map((column) => {
            const peaks = peaksOf(map, column);
            return (
              <tr key={column.start_ns}>
                <th scope="row">{momentText(column.start_ns)}</th>
                <td className="right">{formatInteger(column.count)}</td>
                <td className="right">{formatInteger(column.miss_count)}</td>
                <td>{peaks === null ? "none completed" : rangeText(peaks.usual)}</td>
                <td>{peaks === null ? "" : rangeText(peaks.slowest)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
