// The visible part of a run: zooming around a moment and panning, within the run and down to a least length.

/** The interval `[fromNs, toNs)` since the start of the run. */
export type Extent = { readonly fromNs: number; readonly toNs: number };

/** Least visible length, in nanoseconds. Shorter parts would contain hardly any interval. */
const LEAST_NS = 1e9;

/** Changes per key press: the zoom factor, and the panned share of the visible length. */
export const ZOOM = 2;
export const STEP = 0.25;

export const lengthOf = ({ fromNs, toNs }: Extent): number => toNs - fromNs;

/** Returns the extent moved inside `full`, in whole nanoseconds, at its own length if `full` is long enough. */
export function within(full: Extent, { fromNs, toNs }: Extent): Extent {
  const length = Math.round(Math.min(lengthOf(full), Math.max(Math.min(LEAST_NS, lengthOf(full)), toNs - fromNs)));
  const from = Math.round(Math.min(full.toNs - length, Math.max(full.fromNs, fromNs)));
  return { fromNs: from, toNs: from + length };
}

/** Returns the extent zoomed in by a factor above 1, or out below 1. `atNs` keeps its position. */
export function zoomed(full: Extent, shown: Extent, factor: number, atNs: number): Extent {
  const fromNs = atNs - (atNs - shown.fromNs) / factor;
  return within(full, { fromNs, toNs: fromNs + lengthOf(shown) / factor });
}

/** Returns the extent panned by a share of its length; later if the share is positive. */
export function moved(full: Extent, shown: Extent, share: number): Extent {
  const by = lengthOf(shown) * share;
  return within(full, { fromNs: shown.fromNs + by, toNs: shown.toNs + by });
}

export const isWhole = (full: Extent, shown: Extent): boolean => shown.fromNs <= full.fromNs && shown.toNs >= full.toNs;

export const middleOf = ({ fromNs, toNs }: Extent): number => (fromNs + toNs) / 2;
