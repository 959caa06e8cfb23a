// Renders a chart with a title, a toggling legend, a readout of all series at one position (pointer or arrow keys), a
// table of the same values, and downloads.
import { useMergedRef } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { fileStem } from "@/lib/csv";
import { type Columns, DataTable } from "@/ui/DataTable";
import { indexAfter } from "@/ui/gridKeys";
import classes from "./ChartFigure.module.css";
import { useCursor } from "./cursor";
import { standaloneSvg } from "./exportImage";
import { Figure } from "./Figure";
import { FRAME } from "./labels";
import { nearestIndex, positionOf, valueAt } from "./scales";
import { type AxisSpec, type ChartSpec, heightOf, type Row, type SeriesSpec, tableOf } from "./spec";
import { useDeferredDrawing, useDrawnWidth, usePlot, useValueOnScreen } from "./useDeferredDrawing";

type ChartFigureProps = {
  spec: ChartSpec;
  height?: number;
  /** Controls for this chart only, shown beside its title. */
  controls?: ReactNode;
  /** Part of the file names, so that downloads of two runs do not collide. */
  fileSuffix?: string;
};

export function ChartFigure({ spec: latest, height = 264, controls, fileSuffix }: ChartFigureProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set(latest.series.filter((series) => series.hiddenAtFirst).map((series) => series.key)),
  );
  const drawing = useRef<HTMLDivElement>(null);
  const figure = useRef<HTMLElement>(null);
  const drawn = useValueOnScreen(figure, latest);
  // A new title means another chart: an off-screen chart must not show the old title.
  const spec = drawn.title === latest.title ? drawn : latest;
  const shown = useMemo(() => spec.series.filter((series) => !hidden.has(series.key)), [spec.series, hidden]);
  const stem = [fileStem(spec.title), fileSuffix].filter(Boolean).join("-");

  const toggle = (key: string) =>
    setHidden((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });

  const picture = (): string | null => {
    const svg = drawing.current?.querySelector("svg") ?? null;
    return svg === null ? null : standaloneSvg(svg, spec.title, spec.y.label, shown);
  };

  return (
    <Figure
      figure={figure}
      title={spec.title}
      note={spec.note}
      controls={controls}
      stem={stem}
      table={() => tableOf(spec, shown)}
      picture={picture}
    >
      {(asTable) => (
        <>
          <Legend series={spec.series} hidden={hidden} onToggle={toggle} />
          {asTable ? (
            <ValueTable spec={spec} shown={shown} height={height} />
          ) : (
            <div ref={drawing}>
              <p className="dim fine">{spec.y.label}</p>
              <PlotSlider spec={spec} shown={shown} height={height} />
            </div>
          )}
        </>
      )}
    </Figure>
  );
}

type LegendProps = { series: readonly SeriesSpec[]; hidden: ReadonlySet<string>; onToggle: (key: string) => void };

function Legend({ series, hidden, onToggle }: LegendProps) {
  return (
    <ul className={`wrap plain-list ${classes["legend"]}`} aria-label="Series shown">
      {series.map((curve) => (
        <li key={curve.key}>
          <button
            type="button"
            className={`plain-button icon-text ${classes["entry"]}`}
            aria-pressed={!hidden.has(curve.key)}
            onClick={() => onToggle(curve.key)}
          >
            <Swatch series={curve} />
            {curve.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

function Swatch({ series }: { series: SeriesSpec }) {
  const color = `var(${series.color})`;
  return (
    <svg width="18" height="10" aria-hidden="true" className={classes["swatch"]}>
      {series.mark === "dots" ? (
        [3, 9, 15].map((x) => <circle key={x} cx={x} cy={5} r={2} fill={color} />)
      ) : (
        <>
          {series.mark === "band" ? <rect width="18" height="10" fill={color} fillOpacity={0.25} /> : null}
          <line
            x1="0"
            x2="18"
            y1="5"
            y2="5"
            stroke={color}
            strokeWidth="2"
            strokeDasharray={series.dashed ? "5 4" : undefined}
          />
        </>
      )}
    </svg>
  );
}

/** Renders the plot with its readout, as a slider: arrow keys move along x, the value text lists all series. */
function PlotSlider({ spec, shown, height }: { spec: ChartSpec; shown: readonly SeriesSpec[]; height: number }) {
  const { ref: sizeRef, width } = useDrawnWidth();
  const frame = useRef<HTMLDivElement | null>(null);
  const ref = useMergedRef(sizeRef, frame);
  const drawn = useDeferredDrawing(frame);
  const Plot = usePlot();
  const [cursorX, setActiveX] = useCursor(spec.x.label);
  const xs = useMemo(() => spec.rows.map((row) => row.x), [spec.rows]);
  // Charts on the page share one cursor, and another chart's axis may be longer.
  const activeX = cursorX !== null && isInside(cursorX, spec.x) ? cursorX : null;
  const index = activeX === null ? -1 : nearestIndex(xs, activeX, spec.x.kind);
  const row = index < 0 ? undefined : spec.rows[index];

  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const inner = box.width - FRAME.left - FRAME.right;
    const position = (event.clientX - box.left - FRAME.left) / inner;
    if (position < -0.02 || position > 1.02) setActiveX(null);
    else setActiveX(valueAt(Math.min(1, Math.max(0, position)), spec.x.domain, spec.x.kind));
  };

  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === "Escape") {
      setActiveX(null);
      return;
    }
    // Without a position, the keys begin at the end.
    const next = indexAfter(event.key, index < 0 ? xs.length - 1 : index, xs.length);
    if (next === null) return;
    event.preventDefault();
    setActiveX(xs[next] ?? null);
  };

  const lines = row === undefined ? [] : readLines(row, shown);
  const spoken =
    row === undefined
      ? "No position chosen"
      : [spec.readX(row), ...lines.map((line) => `${line.series.label} ${line.text}`)].join(", ");

  return (
    <div
      ref={ref}
      className={classes["plot"]}
      style={{ height }}
      tabIndex={0}
      role="slider"
      aria-label={`Read values: ${spec.title}`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, xs.length - 1)}
      aria-valuenow={Math.max(0, index)}
      aria-valuetext={spoken}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setActiveX(null)}
      onBlur={() => setActiveX(null)}
      onKeyDown={onKey}
    >
      {drawn && Plot !== null && width > 0 ? <Plot spec={spec} shown={shown} width={width} height={height} /> : null}
      {row !== undefined && width > 0 ? (
        <Readout spec={spec} row={row} lines={lines} width={width} height={height} />
      ) : null}
      {spec.rows.length === 0 ? (
        <p className="dim" style={{ ...OVER_ALL, display: "grid", placeItems: "center" }}>
          No data yet.
        </p>
      ) : null}
    </div>
  );
}

const OVER_ALL = { position: "absolute", inset: 0 } as const;

const isInside = (x: number, { domain, kind }: AxisSpec): boolean => {
  const position = positionOf(x, domain, kind);
  return position >= -1e-9 && position <= 1 + 1e-9;
};

type ReadLine = { series: SeriesSpec; text: string };

function readLines(row: Row, shown: readonly SeriesSpec[]): ReadLine[] {
  return shown.flatMap((series) => {
    const text = series.read(row);
    return text === null ? [] : [{ series, text }];
  });
}

type ReadoutProps = { spec: ChartSpec; row: Row; lines: readonly ReadLine[]; width: number; height: number };

function Readout({ spec, row, lines, width, height }: ReadoutProps) {
  const inner = { width: width - FRAME.left - FRAME.right, height: height - FRAME.top - FRAME.bottom };
  const x = FRAME.left + positionOf(row.x, spec.x.domain, spec.x.kind) * inner.width;
  const right = x > width / 2;
  return (
    <div style={{ ...OVER_ALL, pointerEvents: "none" }} aria-hidden="true">
      <div className={classes["cursor"]} style={{ left: x, top: FRAME.top, height: inner.height }} />
      {lines.map(({ series }) => {
        const value = heightOf(row, series.key);
        if (value === null) return null;
        const position = positionOf(value, spec.y.domain, spec.y.kind);
        if (!(position >= 0 && position <= 1)) return null;
        return (
          <div
            key={series.key}
            className={`dot ${classes["point"]}`}
            style={{ left: x, top: FRAME.top + (1 - position) * inner.height, background: `var(${series.color})` }}
          />
        );
      })}
      <div
        className={`nowrap smaller ${classes["box"]}`}
        style={right ? { right: width - x + 12, top: FRAME.top } : { left: x + 12, top: FRAME.top }}
      >
        <div className="strong">{spec.readX(row)}</div>
        {lines.map(({ series, text }) => (
          <div
            key={series.key}
            style={{ display: "grid", gridTemplateColumns: "auto 1fr auto", alignItems: "center", gap: 6 }}
          >
            <Swatch series={series} />
            <span>{series.label}</span>
            <span className="num" style={{ paddingLeft: 8, textAlign: "right" }}>
              {text}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

type Values = ReturnType<typeof tableOf>["rows"][number];

function ValueTable({ spec, shown, height }: { spec: ChartSpec; shown: readonly SeriesSpec[]; height: number }) {
  const { header, rows } = tableOf(spec, shown);
  const columns: Columns<Values> = header.map((text, column) => ({
    id: String(column),
    header: text,
    accessorFn: (cells) => {
      const cell = cells[column] ?? null;
      return cell === null ? "—" : typeof cell === "number" ? plain(cell) : cell;
    },
  }));
  return <DataTable label={`${spec.title}, as a table`} plain maxHeight={height + 24} columns={columns} rows={rows} />;
}

/** Formats an exact value without binary rounding noise. */
const plain = (value: number): string => String(Number(value.toPrecision(12)));
