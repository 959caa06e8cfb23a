// Shares as this page writes them: four figures, one more than elsewhere, because here they are compared with an objective.
// Intervals are rounded outwards. A single figure is rounded to the nearest, unless that would carry it over the objective.
import { exactPercent, formatPercent } from "@/lib/format";
import { type Direction, roundAt, toFigures } from "@/lib/rounding";
import { ratio } from "@/lib/units";

const NEGLIGIBLE = 1e-7;

function digits(value: number, direction: Direction): string {
  if (value === 0 || value === 1) return String(value * 100);
  if (value < NEGLIGIBLE || 1 - value < NEGLIGIBLE) {
    const low = value < 0.5 ? "0" : "99.99999";
    const high = value < 0.5 ? "0.00001" : "100";
    return direction === "down" ? low : high;
  }
  const complement = 1 - value;
  if (complement >= 0.1) return toFigures(value * 100, direction, 4);
  // Near all, the digits that matter are those of what is missing: two of them.
  const decimals = Math.max(2, Math.ceil(-Math.log10(complement * 100) - 1e-9) + 1);
  return roundAt(Number((value * 100).toPrecision(15)), decimals, direction).toFixed(decimals);
}

/** `77.87–100 %`, rounded outwards. */
export function shareInterval(lower: number, upper: number): string {
  if (lower === upper) return formatPercent(ratio(lower));
  const from = digits(lower, "down");
  const to = digits(upper, "up");
  return from === to ? `${from}\u00a0%` : `${from}–${to}\u00a0%`;
}

/** `77.9 %`: three figures to the nearest, or all of them where the objective lies between the value and those. */
export function shareFigure(value: number, objective: number): string {
  const text = formatPercent(ratio(value));
  const shown = Number(text.replace(/[^\d.]/g, "")) / 100;
  return shown >= objective === value >= objective ? text : exactPercent(ratio(value));
}
