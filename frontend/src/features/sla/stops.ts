// The positions of a slider: a list of round values, one arrow key apart. A value between two of them stands at the nearer one
// and stays what it is until the slider is moved.

const decade = (from: number, steps: readonly number[]): number[] => steps.map((step) => step * from);

const FINE = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8] as const;

/** 1 to 10,000. */
export const READ_STOPS: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 8],
  ...[10, 100, 1000].flatMap((from) => decade(from, FINE)),
  10_000,
];

/** 1 ms to 60 s, in nanoseconds. */
export const WINDOW_STOPS: readonly number[] = [
  ...[1e6, 1e7, 1e8, 1e9].flatMap((from) => decade(from, FINE)),
  ...[10e9, 15e9, 20e9, 30e9, 60e9],
];

/** Nothing, then the window's stops: a reserve is part of a window. */
export const RESERVE_STOPS: readonly number[] = [0, ...WINDOW_STOPS];

export const FAN_STOPS: readonly number[] = READ_STOPS.filter((stop) => stop <= 1000);

/** By the number of nines. */
export const OBJECTIVE_STOPS: readonly number[] = [
  0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999, 0.99995, 0.99998, 0.99999, 0.999995,
  0.999998, 0.999999,
];

/** Index of the stop nearest to `value`; stops ascend. Above zero distances are taken as ratios. */
export function nearestStop(stops: readonly number[], value: number): number {
  const distance = (stop: number): number =>
    stop > 0 && value > 0 ? Math.abs(Math.log(stop / value)) : stop === value ? 0 : Number.POSITIVE_INFINITY;
  return stops.reduce((best, stop, index) => (distance(stop) < distance(stops[best] ?? Number.NaN) ? index : best), 0);
}

/** The same on the scale of what is missing to 1, where objectives differ. */
export const nearestObjective = (value: number): number =>
  nearestStop(
    OBJECTIVE_STOPS.map((stop) => 1 / (1 - stop)),
    1 / (1 - value),
  );
