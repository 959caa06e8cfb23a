// Formats shares in per cent, with the same result as the server's `share_text` (backend/src/tailroom/domain/units.py).
// Both are tested against docs/contracts/golden/shares.json.
import type { Direction } from "./rounding";

/** Shares that differ by no more than this are equal. */
const EXACT = 1e-12;
const LEAST_SHOWN = 1e-5;
const SIX_NINES = 1e-6;
const MOST_DECIMALS = 12;
/** The no-break space keeps number and sign on one line. */
const PER_CENT = "\u00a0%";

/** The decimal number `digits` × 10^-`decimals`. */
type Decimal = { readonly digits: bigint; readonly decimals: number };

const power = (exponent: number): bigint => 10n ** BigInt(exponent);

/** Returns a non-negative share in per cent, as the shortest decimal that parses to the same double. */
function perCent(share: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(share).split("e");
  const [integer = "0", fraction = ""] = mantissa.split(".");
  const decimals = fraction.length - Number(exponent) - 2;
  const digits = BigInt(integer + fraction);
  return decimals >= 0 ? { digits, decimals } : { digits: digits * power(-decimals), decimals: 0 };
}

/** Returns the exponent of the leading digit: 1 for 12.5, -2 for 0.04. */
const leadingOf = ({ digits, decimals }: Decimal): number => String(digits).length - 1 - decimals;

/** Returns the value rounded to `to` decimals; ties round to even. */
function quantize({ digits, decimals }: Decimal, to: number, direction: Direction): Decimal {
  if (decimals <= to) return { digits: digits * power(to - decimals), decimals: to };
  const step = power(decimals - to);
  const floor = digits / step;
  const rest = digits % step;
  const isUp =
    direction === "up"
      ? rest > 0n
      : direction === "nearest" && (rest * 2n > step || (rest * 2n === step && floor % 2n === 1n));
  return { digits: isUp ? floor + 1n : floor, decimals: to };
}

/** Returns the sign of `a - b`. */
function compare(a: Decimal, b: Decimal): number {
  const decimals = Math.max(a.decimals, b.decimals);
  const [left, right] = [quantize(a, decimals, "nearest").digits, quantize(b, decimals, "nearest").digits];
  return left > right ? 1 : left < right ? -1 : 0;
}

function short({ digits, decimals }: Decimal): string {
  const text = String(digits).padStart(decimals + 1, "0");
  if (decimals === 0) return text;
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, "");
}

/** Returns the share in per cent without binary rounding noise, and the exponent of its leading digit. */
function cleaned(share: number): { exact: Decimal; leading: number } {
  const percent = perCent(share);
  const rest = { digits: 100n * power(percent.decimals) - percent.digits, decimals: percent.decimals };
  const leading = leadingOf(compare(percent, rest) <= 0 ? percent : rest);
  return { exact: quantize(percent, Math.min(13, 9 - leading), "nearest"), leading };
}

/** Formats one bound in per cent with two digits of the smaller part, more if needed to stay beside `limit`. */
function endText(share: number, direction: Direction, limit: number | null): string {
  if (share <= 0 || share >= 1) return share <= 0 ? "0" : "100";
  if (share < LEAST_SHOWN && direction === "down") return "0";
  const { exact, leading } = cleaned(share);
  const limitPercent = limit === null ? null : perCent(limit);
  let rounded = exact;
  for (let decimals = Math.max(0, 1 - leading); decimals < MOST_DECIMALS; decimals += 1) {
    rounded = quantize(exact, decimals, direction);
    if (limitPercent === null || compare(rounded, limitPercent) === compare(exact, limitPercent)) break;
  }
  return short(rounded);
}

type ShareOptions = {
  /** Limit or objective; rounding never moves a bound to its other side. */
  readonly limit?: number | null;
  /** False for model estimates, which never show exactly 100 %. */
  readonly counted?: boolean;
};

/** Returns bounds such as `1.9–2.1 %` or `99.38–99.964 %`, rounded outward, with two digits of the smaller part. */
export function shareText(lower: number, upper: number, { limit = null, counted = true }: ShareOptions = {}): string {
  if (lower > 1 - SIX_NINES && (!counted || lower < 1)) return `99.9999${PER_CENT} or more`;
  if (upper - lower <= EXACT) return exactShareText(lower, limit);
  if (lower <= 0 && upper >= 1) return `0–100${PER_CENT}`;
  if (upper >= 1 - SIX_NINES) return `${endText(lower, "down", limit)}${PER_CENT} or more`;
  if (upper < LEAST_SHOWN) return `<\u00a00.001${PER_CENT}`;
  const [low, high] = [endText(lower, "down", limit), endText(upper, "up", limit)];
  return low === high ? `${low}${PER_CENT}` : `${low}–${high}${PER_CENT}`;
}

/** Returns confidence limits of a share: as `shareText`, or `at most 4.1 %` if none is proven below. */
export function provenShareText(lower: number, upper: number, options: ShareOptions = {}): string {
  const text = shareText(lower, upper, options);
  return text.startsWith("0–") && upper < 1 ? `at most ${text.slice(2)}` : text;
}

function exactShareText(share: number, limit: number | null): string {
  if (share <= 0 || share >= 1) return `${share <= 0 ? "0" : "100"}${PER_CENT}`;
  if (share < LEAST_SHOWN) return `<\u00a00.001${PER_CENT}`;
  return `${endText(share, "nearest", limit)}${PER_CENT}`;
}

/** Returns one bound of a share: pass `down` for a lower bound, `up` for an upper one. */
export function shareEndText(
  share: number,
  direction: Direction,
  { limit = null, counted = true }: ShareOptions = {},
): string {
  if (direction === "nearest") return shareText(share, share, { limit, counted });
  if (direction === "down" && share > 1 - SIX_NINES && (!counted || share < 1)) return `99.9999${PER_CENT}`;
  if (direction === "up" && share > 0 && share < LEAST_SHOWN) return `0.001${PER_CENT}`;
  if (direction === "up" && share >= 1 - SIX_NINES) return `100${PER_CENT}`;
  return `${endText(share, direction, limit)}${PER_CENT}`;
}

/** Returns a limit or an objective with all its digits: `5 %`, `99.99999999999 %`. */
export function exactShare(share: number): string {
  if (share <= 0 || share >= 1) return `${Number((share * 100).toPrecision(12))}${PER_CENT}`;
  return `${short(cleaned(share).exact)}${PER_CENT}`;
}
