// Draws the axes, grid and marks of one chart specification. Hovering does not re-render it: the readout is a separate
// layer.
import { type ComponentProps, memo, type ReactElement } from "react";
import { Area, CartesianGrid, ComposedChart, Label, Line, ReferenceArea, ReferenceLine, XAxis, YAxis } from "recharts";
import { FRAME, LABEL_CHARACTER_PX, LABEL_OFFSET_PX, labelPlace, uprightPlace } from "./labels";
import { positionOf } from "./scales";
import type { AxisSpec, ChartSpec, SeriesSpec } from "./spec";

type PlotProps = {
  spec: ChartSpec;
  shown: readonly SeriesSpec[];
  width: number;
  height: number;
};

/** Recharts draws its grid at z-index -100 and series from 100 on. */
const BEHIND_GRID = -200;

const UPRIGHT_LABEL_PX = 16;

const AXIS_TEXT = { fill: "var(--ink-3)", fontSize: 12 } as const;
const LINE_TEXT = { fill: "var(--ink)", fontSize: 12, className: "halo" } as const;
const LINE = { stroke: "var(--ink)", strokeWidth: 1, ifOverflow: "hidden" } as const;

type CurveFactory = Extract<ComponentProps<typeof Line>["type"], (...args: never[]) => unknown>;

/** Returns the diameter of dots in pixels, smaller for more rows. */
const dotDiameter = (rows: number): number => (rows <= 120 ? 5.5 : rows <= 400 ? 4.5 : 3.5);

/** Draws points without joining them: each is a zero-length line with round caps. One SVG element holds thousands. */
const separateDots: CurveFactory = (context) => ({
  lineStart() {},
  lineEnd() {},
  areaStart() {},
  areaEnd() {},
  point(x, y) {
    context.moveTo(x, y);
    context.lineTo(x, y);
  },
});

function marks(series: SeriesSpec, rows: number): ReactElement[] {
  const own = mark(series, rows);
  if (series.dots === undefined) return [own];
  const { dashed: _, stepped: __, ...rest } = series;
  return [own, mark({ ...rest, key: series.dots, mark: "dots" }, rows)];
}

function mark(series: SeriesSpec, rows: number): ReactElement {
  const color = `var(${series.color})`;
  // The x of a row is the middle of its interval, and "step" changes half-way between two rows.
  const curve = series.stepped ? "step" : "linear";
  const { key: dataKey, label: name } = series;
  const common = { dataKey, name, isAnimationActive: false, activeDot: false, stroke: color } as const;
  switch (series.mark) {
    case "band":
      return (
        <Area
          key={series.key}
          {...common}
          type={curve}
          // If dots show the measured values, the band is fainter than the dots.
          strokeWidth={series.dots === undefined ? 1.5 : 1}
          strokeOpacity={series.dots === undefined ? 1 : 0.6}
          fill={color}
          fillOpacity={series.dots === undefined ? 0.25 : 0.12}
        />
      );
    case "dots":
      return (
        <Line
          key={series.key}
          {...common}
          type={separateDots}
          strokeWidth={dotDiameter(rows)}
          strokeLinecap="round"
          dot={false}
        />
      );
    default: {
      const dashes = series.dashed ? "5 4" : "0";
      return <Line key={series.key} {...common} type={curve} strokeWidth={1.75} strokeDasharray={dashes} dot={false} />;
    }
  }
}

const inside = (axis: AxisSpec, value: number): boolean => value >= axis.domain[0] && value <= axis.domain[1];

/** Returns the ticks without those whose label would touch the previous label. */
function spacedTicks(axis: AxisSpec, width: number): number[] {
  const visible: number[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const tick of axis.ticks) {
    const at = positionOf(tick, axis.domain, axis.kind) * width;
    const half = axis.format(tick).length * LABEL_CHARACTER_PX * 0.5;
    if (at - half < free || at + half > width + FRAME.right) continue;
    visible.push(tick);
    free = at + half + 8;
  }
  return visible;
}

const axisProps = ({ kind, domain, ticks, format }: AxisSpec) =>
  ({
    type: "number",
    scale: kind,
    domain: [...domain],
    allowDataOverflow: true,
    ticks: [...ticks],
    interval: 0,
    tickFormatter: format,
    tick: AXIS_TEXT,
    stroke: "var(--axis)",
  }) as const;

export const Plot = memo(function Plot({ spec, shown, width, height }: PlotProps) {
  const { x, y } = spec;
  const xTicks = spacedTicks(x, width - FRAME.left - FRAME.right);
  return (
    <ComposedChart
      accessibilityLayer={false}
      width={width}
      height={height}
      data={[...(spec.drawn ?? spec.rows)]}
      margin={{ top: FRAME.top, right: FRAME.right, bottom: 0, left: 0 }}
      style={{ pointerEvents: "none" }}
    >
      <CartesianGrid stroke="var(--grid)" strokeWidth={1} />
      <XAxis {...axisProps(x)} dataKey="x" ticks={xTicks} height={FRAME.bottom}>
        <Label {...AXIS_TEXT} value={x.label} position="insideBottom" offset={2} />
      </XAxis>
      <YAxis {...axisProps(y)} width={FRAME.left} />
      {spec.stretches?.map((stretch) => (
        <ReferenceArea
          key={stretch.id}
          x1={stretch.fromX}
          x2={stretch.toX}
          fill="var(--pass-soft)"
          fillOpacity={1}
          ifOverflow="hidden"
          zIndex={BEHIND_GRID}
        >
          <Label
            {...AXIS_TEXT}
            value={stretch.label}
            // A stretch can be narrower than its label and ends at a line, so the label extends to the left of that
            // line.
            position="insideBottomRight"
            offset={8}
            className="halo"
          />
        </ReferenceArea>
      ))}
      {shown.flatMap((series) => marks(series, spec.rows.length))}
      {spec.limits
        ?.filter((limit) => inside(y, limit.y))
        .map((limit) => (
          <ReferenceLine
            key={limit.label}
            {...LINE}
            segment={[
              { x: x.domain[0], y: limit.y },
              { x: Math.min(limit.toX ?? x.domain[1], x.domain[1]), y: limit.y },
            ]}
          >
            <Label
              {...LINE_TEXT}
              value={limit.label}
              position={labelPlace(limit, spec, shown, { width, height })}
              offset={LABEL_OFFSET_PX}
            />
          </ReferenceLine>
        ))}
      {spec.uprights
        ?.filter((upright) => inside(x, upright.x))
        .map((upright, index) => (
          <ReferenceLine key={upright.label} {...LINE} x={upright.x}>
            <Label
              {...LINE_TEXT}
              value={upright.label}
              position={uprightPlace(upright, x, width)}
              offset={6}
              // Labels are stacked, since vertical lines can be close together.
              dy={index * UPRIGHT_LABEL_PX}
            />
          </ReferenceLine>
        ))}
    </ComposedChart>
  );
});
