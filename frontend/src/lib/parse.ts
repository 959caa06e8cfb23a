// Parses quantities as people type them. Failures return a sentence to show beside the field, never a substitute
// number.

export type Parsed<Value> =
  | { readonly value: Value; readonly problem: null }
  | { readonly value: null; readonly problem: string };

const is = <Value>(value: Value): Parsed<Value> => ({ value, problem: null });
const not = (problem: string): Parsed<never> => ({ value: null, problem });

/** Matches `1000`, `1,000` and `0.5`. A comma groups thousands and is never a decimal point. */
const NUMBER = String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)`;
const toNumber = (digits: string): number => Number(digits.replaceAll(",", ""));

const DURATION_UNITS: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 60e9,
  h: 3600e9,
};

const HOUR_NS = 3600e9;

/**
 * Parses `1s`, `400 ms`, `1.5 s`, `250us` and plain `0` into whole nanoseconds, at most `mostHours`. The default of one
 * hour is the longest transaction window, and keeps sums of many durations exact.
 */
export function parseDuration(text: string, mostHours = 1): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === "") return not("Write a time with its unit, such as 1\u00a0s or 400\u00a0ms.");
  if (/^0+(\.0+)?$/.test(trimmed)) return is(0);
  const match = new RegExp(`^${NUMBER}\\s*([a-zµμ]*)$`).exec(trimmed);
  if (match === null)
    return not(`“${trimmed}” is not a time. Write a number and its unit, such as 1\u00a0s or 400\u00a0ms.`);
  const unit = match[2] ?? "";
  if (unit === "") return not(`${trimmed} of what? Add the unit: s, ms or us.`);
  const size = DURATION_UNITS[unit];
  if (size === undefined) return not(`“${unit}” is not a unit of time here: use s, ms, us or ns.`);
  const exact = Number((toNumber(match[1] ?? "") * size).toPrecision(15));
  if (!Number.isInteger(exact)) return not("Times are whole nanoseconds: this is finer.");
  if (exact > mostHours * HOUR_NS)
    return not(mostHours === 1 ? "At most one hour." : `At most ${mostHours.toLocaleString("en-GB")} hours.`);
  return is(exact);
}

/** Returns the shortest exact text of a duration: `1s`, `1.5s`, `400ms`, `0`. `parseDuration` is its inverse. */
export function writeDuration(duration: number): string {
  if (duration === 0) return "0";
  const [name, size] =
    (
      [
        ["s", 1e9],
        ["ms", 1e6],
        ["us", 1e3],
      ] as const
    ).find(([, unitNs]) => duration >= unitNs && Number.isInteger((duration / unitNs) * 1000)) ?? (["ns", 1] as const);
  return `${String(Number((duration / size).toPrecision(15)))}${name}`;
}

/** Parses per cent, `99.9` or `99.9 %`, into a ratio between 0 and 1, both excluded. */
export function parsePercent(text: string): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === "") return not("Write a share in per cent, such as 99.9\u00a0%.");
  const match = new RegExp(`^${NUMBER}\\s*%?$`).exec(trimmed);
  if (match === null) return not(`“${trimmed}” is not a share. Write per cent, such as 99.9\u00a0%.`);
  const percent = toNumber(match[1] ?? "");
  if (percent >= 100)
    return not(
      percent === 100
        ? "No measurement can show 100\u00a0%. Choose a share below it, such as 99.9\u00a0%."
        : "A share is less than 100\u00a0%.",
    );
  if (percent <= 0) return not("The share must be more than 0\u00a0%.");
  return is(Number((percent / 100).toPrecision(14)));
}

/** Returns a share in per cent as typed in a field and written in a URL: `99.9`. */
export const writePercent = (share: number): string => String(Number((share * 100).toPrecision(12)));

const COUNT_SUFFIXES: Record<string, number> = { "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

type Range = { readonly least: number; readonly most: number; readonly what: string };

/** Parses a whole number: `250`, `4,000`, `4k`. The problem names the allowed range. */
export function parseWhole(text: string, { least, most, what }: Range): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === "") return not(`Write ${what}.`);
  const match = new RegExp(`^${NUMBER}\\s*([kMGT]?)$`).exec(trimmed);
  if (match === null) return not(`“${trimmed}” is not a whole number.`);
  const value = Number((toNumber(match[1] ?? "") * (COUNT_SUFFIXES[match[2] ?? ""] ?? 1)).toPrecision(15));
  if (!Number.isInteger(value)) return not(`“${trimmed}” is not a whole number.`);
  return within(value, least, most);
}

/** Parses a number within the range that may have decimals, such as a rate or a size. */
export function parseAmount(text: string, { least, most, what }: Range): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === "") return not(`Write ${what}.`);
  const match = new RegExp(`^${NUMBER}\\s*([kMGT]?)$`).exec(trimmed);
  if (match === null) return not(`“${trimmed}” is not a number.`);
  return within(toNumber(match[1] ?? "") * (COUNT_SUFFIXES[match[2] ?? ""] ?? 1), least, most);
}

function within(value: number, least: number, most: number): Parsed<number> {
  if (value < least) return not(`At least ${least.toLocaleString("en-GB")}.`);
  if (value > most) return not(`At most ${most.toLocaleString("en-GB")}.`);
  return is(value);
}

const BYTE_UNITS: Record<string, number> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  PB: 1e15,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  PiB: 2 ** 50,
};

/** Parses a size, `2 TB` or `500 GiB`, into whole bytes above 0. */
export function parseBytes(text: string): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === "") return not("Write a size with its unit, such as 2\u00a0TB.");
  const match = new RegExp(`^${NUMBER}\\s*([A-Za-z]*)$`).exec(trimmed);
  if (match === null) return not(`“${trimmed}” is not a size. Write a number and its unit, such as 2\u00a0TB.`);
  const unit = match[2] ?? "";
  const size = BYTE_UNITS[unit];
  if (size === undefined)
    return not(
      unit === ""
        ? `${trimmed} of what? Add the unit: GB or TB.`
        : `“${unit}” is not a unit here: use GB, TB, GiB or TiB.`,
    );
  const bytes = Math.round(toNumber(match[1] ?? "") * size);
  return bytes > 0 && Number.isSafeInteger(bytes) ? is(bytes) : not("The size must be more than 0 and below 9 PB.");
}
