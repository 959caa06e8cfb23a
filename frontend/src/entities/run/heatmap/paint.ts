// Draws the cells of a heatmap. All columns are painted once per API response; panning and zooming copy parts of that
// image, which takes equally long for any length.
import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Heatmap } from "@/api/types";
import type { Domain } from "@/charts/scales";
import { ceilingOf, depthOf, floorOf, mostIn, STEPS, stepOf } from "./cells";
import { type Extent, lengthOf } from "./extent";

/** Columns of the painted image, in pixels: two per column of the API. */
const WIDTH = 1_200;

type Palette = { readonly none: string; readonly steps: readonly string[] };

function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (step: number): string => style.getPropertyValue(`--h${step}`).trim();
  return { none: color(0), steps: Array.from({ length: STEPS }, (_, index) => color(index + 1)) };
}

type HeatmapImage = { readonly image: HTMLCanvasElement; readonly extent: Extent };

/** Paints the image; `null` without a canvas context. `most` is the count with the strongest colour, equal for compared
 * pictures. Times without data are transparent and show the hatching below. */
function paintHeatmap(
  map: Heatmap,
  domain: Domain,
  height: number,
  palette: Palette,
  most: number,
): HeatmapImage | null {
  const image = document.createElement("canvas");
  [image.width, image.height] = [WIDTH, height];
  const context = image.getContext("2d");
  if (context === null || map.to_ns <= map.from_ns) return null;
  const extent = { fromNs: map.from_ns, toNs: map.to_ns };
  const xOf = (ns: number): number => (WIDTH * (ns - extent.fromNs)) / lengthOf(extent);
  const bands = map.rows.map((row) => {
    const top = Math.round(height * depthOf(ceilingOf(row), domain));
    return { top, height: Math.max(1, Math.round(height * depthOf(floorOf(row), domain)) - top) };
  });
  for (const column of map.columns) {
    const left = Math.floor(xOf(column.start_ns));
    const width = Math.max(1, Math.ceil(xOf(column.start_ns + column.duration_ns)) - left);
    context.fillStyle = palette.none;
    context.fillRect(left, 0, width, height);
    for (const [index, count] of column.counts.entries()) {
      const band = bands[column.first_row + index];
      if (band === undefined || count === 0) continue;
      context.fillStyle = palette.steps[stepOf(count, most) - 1] ?? palette.none;
      context.fillRect(left, band.top, width, band.height);
    }
  }
  return { image, extent };
}

/** Copies the visible part of the pictures onto the canvas, each over those before it. */
function copied(canvas: HTMLCanvasElement, pictures: readonly (HeatmapImage | null)[], shown: Extent): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingEnabled = false;
  for (const picture of pictures) {
    if (picture === null) continue;
    const fromNs = Math.max(shown.fromNs, picture.extent.fromNs);
    const toNs = Math.min(shown.toNs, picture.extent.toNs);
    if (toNs <= fromNs) continue;
    const source = (ns: number): number =>
      (picture.image.width * (ns - picture.extent.fromNs)) / lengthOf(picture.extent);
    const target = (ns: number): number => (canvas.width * (ns - shown.fromNs)) / lengthOf(shown);
    const [left, width] = [source(fromNs), source(toNs) - source(fromNs)];
    context.clearRect(target(fromNs), 0, target(toNs) - target(fromNs), canvas.height);
    context.drawImage(
      picture.image,
      left,
      0,
      width,
      picture.image.height,
      target(fromNs),
      0,
      target(toNs) - target(fromNs),
      canvas.height,
    );
  }
}

type Drawing = { domain: Domain; height: number; width: number; shown: Extent; most?: number | undefined };

/** Returns the ref of a canvas on which the visible part of a heatmap is drawn, with finer data over it if there are any. */
export function useHeatmapCanvas(
  overview: Heatmap,
  fine: Heatmap | null,
  { domain, height, width, shown, most }: Drawing,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheme = useComputedColorScheme("light");
  const [palette, setPalette] = useState<Palette | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the palette depends on the colour scheme
  useLayoutEffect(() => {
    if (canvas.current !== null) setPalette(paletteOf(canvas.current));
  }, [scheme]);
  const [low, high] = domain;
  const coarse = useMemo(
    () => palette && paintHeatmap(overview, [low, high], height, palette, most ?? mostIn(overview)),
    [overview, low, high, height, palette, most],
  );
  const close = useMemo(
    () => palette && fine && paintHeatmap(fine, [low, high], height, palette, most ?? mostIn(fine)),
    [fine, low, high, height, palette, most],
  );
  const { fromNs, toNs } = shown;
  useLayoutEffect(() => {
    if (canvas.current === null || width <= 0) return;
    canvas.current.width = Math.round(width);
    canvas.current.height = height;
    copied(canvas.current, [coarse, close], { fromNs, toNs });
  }, [coarse, close, fromNs, toNs, width, height]);
  return canvas;
}
