// How a number becomes digits without claiming more than it holds: a lower bound is only ever rounded down, an upper
// bound only ever up, and an estimate to the nearest.

export type Direction = "down" | "nearest" | "up";

const MAX_DECIMALS = 20;

/** Decimals that show `value` with `digits` significant figures (never negative). */
export function decimalsFor(value: number, digits = 3): number {
  if (value === 0 || !Number.isFinite(value)) return 0;
  const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
  return Math.min(MAX_DECIMALS, Math.max(0, digits - 1 - exponent));
}

/** Rounds at `decimals` places in the given direction; values that a double cannot tell from a round one count as round. */
export function roundAt(value: number, decimals: number, direction: Direction): number {
  const scale = 10 ** decimals;
  // 15 significant digits forgive the last bit of a double (98.2 * 10 is 982.0000000000001).
  const scaled = Number((value * scale).toPrecision(15));
  const rounded =
    direction === "down" ? Math.floor(scaled) : direction === "up" ? Math.ceil(scaled) : Math.round(scaled);
  return rounded / scale;
}

/** Text with `digits` significant figures, rounded in `direction`: 1.28, 59.4, 612, 0.00410. Numbers of more digits keep them all. */
export function toFigures(value: number, direction: Direction = "nearest", digits = 3): string {
  if (value === 0) return "0";
  let decimals = decimalsFor(value, digits);
  const rounded = roundAt(value, decimals, direction);
  // 9.996 at two decimals is 10.00: one decimal fewer keeps three figures.
  const carried = decimalsFor(rounded, digits);
  if (carried < decimals && rounded !== 0) decimals = carried;
  return rounded.toFixed(decimals);
}
