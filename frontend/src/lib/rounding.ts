// Rounds numbers without overstating them: lower bounds only down, upper bounds only up, estimates to nearest.

export type Direction = "down" | "nearest" | "up";

const MAX_DECIMALS = 20;

/** Returns the non-negative number of decimals that shows `value` with `digits` significant figures. */
export function decimalsFor(value: number, digits = 3): number {
  if (value === 0 || !Number.isFinite(value)) return 0;
  const exponent = Math.floor(Math.log10(Math.abs(value)) + 1e-12);
  return Math.min(MAX_DECIMALS, Math.max(0, digits - 1 - exponent));
}

/** Rounds to `decimals` places in `direction`. Values within double precision of a round number count as round. */
export function roundAt(value: number, decimals: number, direction: Direction): number {
  const scale = 10 ** decimals;
  // 15 significant digits hide binary noise: 98.2 * 10 is 982.0000000000001.
  const scaled = Number((value * scale).toPrecision(15));
  const rounded =
    direction === "down" ? Math.floor(scaled) : direction === "up" ? Math.ceil(scaled) : Math.round(scaled);
  return rounded / scale;
}

/** Formats with `digits` significant figures: 1.28, 59.4, 612, 0.00410. Digits before the point are never dropped. */
export function toFigures(value: number, direction: Direction = "nearest", digits = 3): string {
  if (value === 0) return "0";
  let decimals = decimalsFor(value, digits);
  const rounded = roundAt(value, decimals, direction);
  // 9.996 with two decimals becomes 10.00: one decimal fewer leaves three figures.
  const carried = decimalsFor(rounded, digits);
  if (carried < decimals && rounded !== 0) decimals = carried;
  return rounded.toFixed(decimals);
}
