// Shared colour, latency and time scales of several heatmaps.
import type { Heatmap } from "@/api/types";
import type { Domain } from "@/charts/scales";
import { latencyDomain, mostIn } from "@/entities/run/heatmap/cells";
import type { Extent } from "@/entities/run/heatmap/extent";

export type DatedHeatmap = { readonly map: Heatmap; readonly startedAt: string | null };

export type SharedScale = { readonly domain: Domain; readonly most: number; readonly extents: readonly Extent[] };

/** Returns the shared scales; `byClock` aligns the heatmaps by clock time, otherwise by the start of each run. */
export function sharedOf(all: readonly DatedHeatmap[], byClock: boolean): SharedScale {
  const domains = all.map(({ map }) => latencyDomain(map.rows, []));
  const starts = all.map(({ startedAt }) => (startedAt === null || !byClock ? 0 : Date.parse(startedAt) * 1e6));
  const first = Math.min(...starts);
  const last = Math.max(...all.map(({ map }, index) => (starts[index] ?? 0) - first + map.to_ns));
  return {
    domain: [Math.min(...domains.map(([low]) => low)), Math.max(...domains.map(([, high]) => high))],
    most: Math.max(1, ...all.map(({ map }) => mostIn(map))),
    extents: starts.map((start) => ({ fromNs: first - start, toNs: first - start + Math.max(last, 1) })),
  };
}

/** Largest difference of start times for a view by clock time, in milliseconds. */
const MOST_APART_MS = 48 * 3_600_000;

export function haveCommonClock(all: readonly DatedHeatmap[]): boolean {
  const starts = all.map(({ startedAt }) => (startedAt === null ? Number.NaN : Date.parse(startedAt)));
  return starts.every(Number.isFinite) && Math.max(...starts) - Math.min(...starts) <= MOST_APART_MS;
}
