// Branded number types by quantity: the compiler rejects a number of another unit. Only this module converts.
declare const unit: unique symbol;
type Quantity<Name extends string> = number & { readonly [unit]: Name };

/** Integer nanoseconds: latencies, offsets and durations as the API sends them. */
export type Nanoseconds = Quantity<"ns">;
/** A share from 0 to 1. Only formatting converts it to per cent. */
export type Ratio = Quantity<"ratio">;
/** Operations per second. */
export type OpsPerSecond = Quantity<"ops/s">;

export const nanoseconds = (value: number): Nanoseconds => value as Nanoseconds;
export const ratio = (value: number): Ratio => value as Ratio;
export const opsPerSecond = (value: number): OpsPerSecond => value as OpsPerSecond;

export const NS_PER_SECOND = 1_000_000_000;

export const seconds = (value: number): Nanoseconds => nanoseconds(value * NS_PER_SECOND);

/** Returns the rate of `count` operations over `duration`; `null` if the duration is not positive. */
export function rateOf(count: number, duration: Nanoseconds): OpsPerSecond | null {
  return duration > 0 ? opsPerSecond((count * NS_PER_SECOND) / duration) : null;
}
