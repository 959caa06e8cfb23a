// Chooses the position of a limit's label along its line: the one of four that covers the fewest marks.
import { positionOf } from "./scales";
import type { ChartSpec, LimitSpec, SeriesSpec, UprightSpec } from "./spec";

/** Margins around the plot area in pixels. The readout uses them to find the value under the pointer. */
export const FRAME = { left: 72, right: 14, top: 20, bottom: 40 } as const;

/** Mean character width of a label, in pixels. */
export const LABEL_CHARACTER_PX = 6.6;
const LABEL_PX = 16;
/** Gap between a label and its line, and at the label's ends, in pixels. */
export const LABEL_OFFSET_PX = 4;

/** Label positions by their Recharts names. "insideBottom…" puts the label above the line. */
const PLACES = ["insideBottomLeft", "insideBottomRight", "insideTopLeft", "insideTopRight"] as const;
export type LabelPlace = (typeof PLACES)[number];

/** Returns the position that covers the fewest marks; of equals the first, so that labels align if possible. */
export function labelPlace(
  limit: LimitSpec,
  spec: ChartSpec,
  shown: readonly SeriesSpec[],
  size: { width: number; height: number },
): LabelPlace {
  const width = size.width - FRAME.left - FRAME.right;
  const height = size.height - FRAME.top - FRAME.bottom;
  const across = (x: number) => positionOf(x, spec.x.domain, spec.x.kind) * width;
  const down = (y: number) => (1 - positionOf(y, spec.y.domain, spec.y.kind)) * height;
  const line = down(limit.y);
  const end = Math.min(across(limit.toX ?? spec.x.domain[1]), width);
  const reach = limit.label.length * LABEL_CHARACTER_PX + 2 * LABEL_OFFSET_PX;
  const marks = (spec.drawn ?? spec.rows).map((row) => ({
    x: across(row.x),
    ys: shown
      .flatMap((series) => [row[series.key], series.dots === undefined ? null : row[series.dots]].flat())
      .filter((value) => typeof value === "number")
      .map(down),
  }));
  const covered = (place: LabelPlace): number => {
    const left = place.endsWith("Left") ? 0 : end - reach;
    const top = place.startsWith("insideBottom") ? line - LABEL_PX - LABEL_OFFSET_PX : line;
    const bottom = top + LABEL_PX + LABEL_OFFSET_PX;
    if (top < -FRAME.top || bottom > height || left < 0) return Number.POSITIVE_INFINITY;
    const within = marks.filter(({ x }) => x >= left && x <= left + reach);
    return within.reduce((sum, { ys }) => sum + ys.filter((y) => y >= top && y <= bottom).length, 0);
  };
  const counts = PLACES.map(covered);
  return PLACES[Math.max(0, counts.indexOf(Math.min(...counts)))] ?? PLACES[0];
}

/** Returns the side of a vertical line that its label has room on: left of it, or right of one near the left axis. */
export function uprightPlace(
  { x, label }: UprightSpec,
  axis: ChartSpec["x"],
  width: number,
): "insideTopRight" | "insideTopLeft" {
  const left = positionOf(x, axis.domain, axis.kind) * (width - FRAME.left - FRAME.right);
  return label.length * LABEL_CHARACTER_PX + LABEL_OFFSET_PX <= left ? "insideTopRight" : "insideTopLeft";
}
