// Which part of a run is looked at: zooming around a moment and moving along, never beyond the run and never closer than a bit of it.

/** `[fromNs, toNs)` since the start of the run. */
export type Extent = { readonly fromNs: number; readonly toNs: number };

/** Shorter than this there is hardly an interval in it. */
const LEAST_NS = 1e9;

/** Of one press: closer by a factor, along by a share of what is shown. */
export const ZOOM = 2;
export const STEP = 0.25;

export const lengthOf = ({ fromNs, toNs }: Extent): number => toNs - fromNs;

/** Inside the whole, of whole nanoseconds; as long as asked for where the whole is long enough. */
export function within(whole: Extent, { fromNs, toNs }: Extent): Extent {
  const length = Math.round(Math.min(lengthOf(whole), Math.max(Math.min(LEAST_NS, lengthOf(whole)), toNs - fromNs)));
  const from = Math.round(Math.min(whole.toNs - length, Math.max(whole.fromNs, fromNs)));
  return { fromNs: from, toNs: from + length };
}

/** Closer by a factor above 1, farther below; `atNs` stays where it is in the picture. */
export function zoomed(whole: Extent, shown: Extent, factor: number, atNs: number): Extent {
  const fromNs = atNs - (atNs - shown.fromNs) / factor;
  return within(whole, { fromNs, toNs: fromNs + lengthOf(shown) / factor });
}

/** Along by a share of what is shown; later where the share is above 0. */
export function moved(whole: Extent, shown: Extent, share: number): Extent {
  const by = lengthOf(shown) * share;
  return within(whole, { fromNs: shown.fromNs + by, toNs: shown.toNs + by });
}

export const isWhole = (whole: Extent, shown: Extent): boolean =>
  shown.fromNs <= whole.fromNs && shown.toNs >= whole.toNs;

export const middleOf = ({ fromNs, toNs }: Extent): number => (fromNs + toNs) / 2;
