// Branded numbers by quantity. A branded number cannot be passed where another unit is meant; only this module converts.
declare const unit: unique symbol;
type Quantity<Name extends string> = number & { readonly [unit]: Name };

/** Integer nanoseconds: latencies, offsets and durations as sent by the API. */
export type Nanoseconds = Quantity<"ns">;
/** A share from 0 to 1; per cent exist on screen only. */
export type Ratio = Quantity<"ratio">;
/** Operations per second. */
export type OpsPerSecond = Quantity<"ops/s">;

export const nanoseconds = (value: number): Nanoseconds => value as Nanoseconds;
export const ratio = (value: number): Ratio => value as Ratio;
export const opsPerSecond = (value: number): OpsPerSecond => value as OpsPerSecond;

export const NS_PER_SECOND = 1_000_000_000;

export const seconds = (value: number): Nanoseconds => nanoseconds(value * NS_PER_SECOND);

/** Rate of `count` operations over `duration`; null when no time passed. */
export function rateOf(count: number, duration: Nanoseconds): OpsPerSecond | null {
  return duration > 0 ? opsPerSecond((count * NS_PER_SECOND) / duration) : null;
}
