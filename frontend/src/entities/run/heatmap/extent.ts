// The visible part of a run: zooming around a moment and moving along, never beyond the run and never closer than a bit of it.

/** `[fromNs, toNs)` since the start of the run. */
export type Extent = { readonly fromNs: number; readonly toNs: number };

/** Shorter than this there is hardly an interval in it. */
const LEAST_NS = 1e9;

/** Of one press: closer by a factor, along by a share of what is shown. */
export const ZOOM = 2;
export const STEP = 0.25;

export const lengthOf = ({ fromNs, toNs }: Extent): number => toNs - fromNs;

/** Inside the whole, of whole nanoseconds; as long as asked for where the whole is long enough. */
export function within(full: Extent, { fromNs, toNs }: Extent): Extent {
  const length = Math.round(Math.min(lengthOf(full), Math.max(Math.min(LEAST_NS, lengthOf(full)), toNs - fromNs)));
  const from = Math.round(Math.min(full.toNs - length, Math.max(full.fromNs, fromNs)));
  return { fromNs: from, toNs: from + length };
}

/** Closer by a factor above 1, farther below; `atNs` stays where it is in the picture. */
export function zoomed(full: Extent, shown: Extent, factor: number, atNs: number): Extent {
  const fromNs = atNs - (atNs - shown.fromNs) / factor;
  return within(full, { fromNs, toNs: fromNs + lengthOf(shown) / factor });
}

/** Along by a share of what is shown; later where the share is above 0. */
export function moved(full: Extent, shown: Extent, share: number): Extent {
  const by = lengthOf(shown) * share;
  return within(full, { fromNs: shown.fromNs + by, toNs: shown.toNs + by });
}

export const isWhole = (full: Extent, shown: Extent): boolean => shown.fromNs <= full.fromNs && shown.toNs >= full.toNs;

export const middleOf = ({ fromNs, toNs }: Extent): number => (fromNs + toNs) / 2;
