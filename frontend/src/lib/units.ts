// Conversion of units.
export const NS_PER_SECOND = 1_000_000_000;

/** Returns the rate per second of `count` operations over `durationNs`; `null` if the duration is not positive. */
export const rateOf = (count: number, durationNs: number): number | null =>
  durationNs > 0 ? (count * NS_PER_SECOND) / durationNs : null;
