// Formats quantities for display: three significant figures and a unit. Bounds are never rounded to their favourable
// side. Also writes counts with their nouns, and clauses as sentences.
import { type Direction, decimalsFor, roundAt, toFigures } from "./rounding";
import { exactShare, shareEndText, shareText } from "./shares";

export const NS_PER_SECOND = 1_000_000_000;
export const UNKNOWN = "—";
/** No-break space: keeps number and unit on one line. */
const NBSP = "\u00a0";

const LATENCY_UNITS = [
  { name: "ns", size: 1 },
  { name: "µs", size: 1e3 },
  { name: "ms", size: 1e6 },
  { name: "s", size: 1e9 },
] as const;

type LatencyUnit = (typeof LATENCY_UNITS)[number];

/** Returns the unit that leaves one to three digits before the decimal point; seconds for anything larger. */
export const unitOf = (value: number): LatencyUnit =>
  LATENCY_UNITS.findLast(({ size }) => Math.abs(value) >= size) ?? LATENCY_UNITS[0];

/** Returns whether a latency is an edge of power-of-two microsecond buckets. Such edges are printed exactly. */
export const isPowerOfTwoEdge = (value: number): boolean => value >= 1e6 && Number.isInteger(Math.log2(value / 1e3));

/** Formats a latency: `1.28 ms`; 999.6 µs becomes `1.00 ms`. Power-of-two bucket edges keep all digits: `8.192 ms`. */
export function formatLatency(value: number, direction: Direction = "nearest"): string {
  if (value === 0) return `0${NBSP}s`;
  if (isPowerOfTwoEdge(value)) return formatExactLatency(value);
  const unit = unitOf(value);
  const decimals = decimalsFor(value / unit.size);
  const rounded = roundAt(value / unit.size, decimals, direction);
  if (Math.abs(rounded) >= 1000 && unit.name !== "s") {
    const next = unitOf(unit.size * 1000);
    return `${toFigures(rounded / 1000, direction)}${NBSP}${next.name}`;
  }
  return `${toFigures(value / unit.size, direction)}${NBSP}${unit.name}`;
}

/** Formats two bounds in one unit, rounded outward: `612–640 ms`. Equal bounds give a single number. */
export function formatLatencyInterval(lower: number, upper: number): string {
  if (lower === upper) return formatLatency(lower);
  const unit = unitOf(upper);
  const low = lower / unit.size;
  if (lower !== 0 && Math.abs(low) < 0.01) return `${formatLatency(lower, "down")}–${formatLatency(upper, "up")}`;
  const [from, to] = [figuresIn(unit, lower, "down"), figuresIn(unit, upper, "up")];
  return from === to ? `${from}${NBSP}${unit.name}` : `${from}–${to}${NBSP}${unit.name}`;
}

const figuresIn = (unit: LatencyUnit, value: number, direction: Direction): string =>
  isPowerOfTwoEdge(value) ? exactFigures(value / unit.size) : toFigures(value / unit.size, direction);

/** Formats a rate: `2.00k ops/s`, `59.4k ops/s`, `105 ops/s`. */
export function formatRate(value: number): string {
  return `${formatCount(value)}${NBSP}ops/s`;
}

const SI = ["", "k", "M", "G", "T"] as const;

/** Formats a count with three significant figures: `59.4k`. Integers below 1,000 are unchanged. */
export function formatCount(value: number, direction: Direction = "nearest"): string {
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  let step = Math.min(SI.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(value)) / 3)));
  if (Math.abs(roundAt(value / 1000 ** step, decimalsFor(value / 1000 ** step), direction)) >= 1000 && step < 4)
    step += 1;
  return `${toFigures(value / 1000 ** step, direction)}${SI[step]}`;
}

// Shared formatters: `toLocaleString` would create a new formatter for every number.
const TENTHS = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** Formats all digits of a number, grouped: `60,012`. */
export const formatInteger = (value: number): string => WHOLE.format(value);

/** Rounds a required count up to two figures above 1,000, as the backend does: `812`, `750,000`, `590 million`. */
export function formatNeeded(amount: number): string {
  const count = Math.ceil(amount);
  if (count <= 1000) return formatInteger(count);
  const step = 10 ** (String(count).length - 2);
  const rounded = Math.ceil(count / step) * step;
  for (const [size, name] of [
    [1e9, "billion"],
    [1e6, "million"],
  ] as const) {
    if (rounded >= size) return `${TENTHS.format(rounded / size)}${NBSP}${name}`;
  }
  return formatInteger(rounded);
}

/** Formats a share: `1.3 %`, `99.93 %`; ratios outside 0 to 1, such as a load, with three significant figures. */
export function formatPercent(value: number, direction: Direction = "nearest"): string {
  if (value < 0 || value > 1) return `${toFigures(value * 100, direction)}${NBSP}%`;
  return shareEndText(value, direction);
}

/** Formats two bounds of a share, rounded outward: `0.70–8.2 %`. */
export const formatPercentInterval = (lower: number, upper: number): string => shareText(lower, upper);

/** Formats a lower bound of a share, rounded down: `≥ 98.2 %`. */
export const formatAtLeastPercent = (lower: number): string => `≥${NBSP}${formatPercent(lower, "down")}`;

/** Formats a quantile with three significant figures of `1 - quantile`: `99.791 %`, `50.0 %`. Not for bounds. */
export function formatQuantile(quantile: number): string {
  const beyond = 1 - quantile;
  const decimals = beyond <= 0 ? 0 : Math.min(10, Math.max(1, Math.ceil(-Math.log10(beyond * 100) - 1e-6) + 2));
  return `${roundAt(quantile * 100, decimals, "down").toFixed(decimals)}${NBSP}%`;
}

/** Formats a limit or an objective with all its digits and no padding: 5 %, 0.1 %, 99.9 %. */
export const formatExactPercent = (value: number): string => exactShare(value);

/** Formats a threshold with all its digits: 1 ms, 64 ms, 1 s, 1.5 s. */
export function formatExactLatency(value: number): string {
  const unit = unitOf(value);
  return `${exactFigures(value / unit.size)}${NBSP}${unit.name}`;
}

const exactFigures = (value: number): string => String(Number(value.toPrecision(12)));

/** Formats all digits of a latency, for tooltips: `1,281,024 ns`. */
export const exactNanoseconds = (value: number): string => `${formatInteger(value)}${NBSP}ns`;

/** Formats a share in per cent with up to 12 significant figures, for tooltips. */
export const exactPercent = (value: number): string => `${String(Number((value * 100).toPrecision(12)))}${NBSP}%`;

const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");

/** Formats elapsed time as `00:12:41`, rounded down to whole seconds. The hours continue past 24. */
export function formatClock(duration: number): string {
  const total = Math.max(0, Math.floor(duration / NS_PER_SECOND));
  return `${two(total / 3600)}:${two((total % 3600) / 60)}:${two(total % 60)}`;
}

/** Formats a duration with at most two units: `30 s`, `10 min`, `23 h 36 min`; days from two days on: `2 d 4 h`. */
export function formatSpan(duration: number): string {
  const total = duration / NS_PER_SECOND;
  if (total < 1) return formatLatency(duration);
  const rounded = Math.round(total);
  if (rounded < 60) return `${Number.isInteger(total) ? rounded : toFigures(total)}${NBSP}s`;
  const days = rounded < 172_800 ? 0 : Math.floor(rounded / 86_400);
  const parts: Array<[number, string]> = [
    [days, "d"],
    [Math.floor((rounded - days * 86_400) / 3600), "h"],
    [Math.floor((rounded % 3600) / 60), "min"],
    [rounded % 60, "s"],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, name]) => `${amount}${NBSP}${name}`)
    .join(" ");
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** Formats a size in binary units: `1.5 KiB`, `4 GiB`. */
export function formatBytes(value: number): string {
  let size = value;
  let step = 0;
  while (Math.abs(size) >= 1024 && step < BYTE_UNITS.length - 1) {
    size /= 1024;
    step += 1;
  }
  return `${Number.isInteger(size) ? size : toFigures(size)}${NBSP}${BYTE_UNITS[step]}`;
}

/** Formats a timestamp in the browser's time zone: `20 Nov 2026, 17:34`. */
export function formatMoment(iso: string): string {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime())
    ? UNKNOWN
    : moment.toLocaleString("en-GB", {
        day: "numeric",
        month: "short",
        year: "numeric",
        hour: "2-digit",
        minute: "2-digit",
      });
}

/** Formats a date such as `2026-11-20` as `20 Nov 2026`, in UTC so that the day is the same in every time zone. */
export function formatDay(iso: string): string {
  const day = new Date(iso);
  return Number.isNaN(day.getTime())
    ? UNKNOWN
    : day.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

/** Formats an ISO date or moment as its day, `20 Nov 2026`; other dates stay as printed. */
export const dayAsPrinted = (date: string): string => (/^\d{4}-\d\d-\d\d(T|$)/.test(date) ? formatDay(date) : date);

/** Formats elapsed milliseconds: `just now`, `12 s ago`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function formatAgo(milliseconds: number): string {
  const past = Math.max(0, Math.floor(milliseconds / 1000));
  if (past < 5) return "just now";
  if (past < 60) return `${past}${NBSP}s ago`;
  if (past < 3600) return `${Math.floor(past / 60)}${NBSP}min ago`;
  if (past < 86_400) return `${Math.floor(past / 3600)}${NBSP}h ago`;
  return `${Math.floor(past / 86_400)}${NBSP}d ago`;
}

/** Returns the rate per second of `count` operations over `durationNs`; `null` if the duration is not positive. */
export const rateOf = (count: number, durationNs: number): number | null =>
  durationNs > 0 ? (count * NS_PER_SECOND) / durationNs : null;

/** Returns a count with its noun: `1 run`, `2 runs`. */
export const plural = (count: number, singular: string, many = `${singular}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? singular : many}`;

/** A file or setting name at the start of a clause. Its case must not change. */
const NAME = /^[^\s]*[._/=\d][^\s]*[a-z\d](?=\s|:|,|$)/;

/** Capitalises a clause as a sentence, except for a leading file or setting name: `pgl.5494 ends …` is unchanged. */
export const sentence = (text: string): string =>
  NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

const APART =
  /(\d[kMG]?) (%|×|[nµm]?s|min|h|d|(?:ops|reads)\/s|IOPS|[kMGT]i?B(?:\/s)?|[MG]bit\/s|GbE|W|Hz|°C)(?![\w%/])/g;

/** Prepares a server sentence for display: removes backticks, and joins numbers and units with no-break spaces. */
export const unbroken = (text: string): string => text.replaceAll("`", "").replaceAll(APART, "$1\u00a0$2");

/** Joins the parts of a text that are known. */
export const joinParts = (parts: readonly (string | null | undefined | false)[], separator = " · "): string =>
  parts.filter(Boolean).join(separator);
