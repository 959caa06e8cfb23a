// Formats numbers printed in a document: no more digits than its rounding supports, the unit, and the interval that the
// rounding allows, for tooltips, tables and files.
import { formatInteger, joinParts } from "./format";

/** A number from a document. Bounds are inclusive; `null` if the document gives none on that side. */
export type PrintedNumber = {
  readonly as_printed?: string | null;
  /** Unit of the digits in `as_printed`; empty if `as_printed` is words. */
  readonly unit_as_printed?: string | null;
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly unit: string | null;
  readonly comparison?: string | null;
};

const NBSP = "\u00a0";
const MOST_DECIMALS = 12;

type Display = { readonly factor: number; readonly unit: string };

type Step = { readonly from: number; readonly unit: string };

const TIMES: readonly Step[] = [
  { from: 3.6e12, unit: "h" },
  { from: 1e9, unit: "s" },
  { from: 1e6, unit: "ms" },
  { from: 1e3, unit: "µs" },
  { from: 1, unit: "ns" },
];

const SI: readonly Step[] = [
  { from: 1e12, unit: "T" },
  { from: 1e9, unit: "G" },
  { from: 1e6, unit: "M" },
  { from: 1e3, unit: "k" },
  { from: 1, unit: "" },
];

const step = (steps: readonly Step[], size: number): Step =>
  steps.find((candidate) => size >= candidate.from * (1 - 1e-12)) ?? steps.at(-1) ?? { from: 1, unit: "" };

/** Most significant figures of a count shown with an SI prefix: 1.24M, but 1,005,768 in full. */
const MOST_SI_FIGURES = 4;

const WORDS: Record<string, string> = { count: "", x: "×", text: "" };

/** Units that take an SI prefix if no digit is lost: 1.24M ops/s. Counts of things are written in full. */
const PREFIXED = new Set(["ops/s", "IOPS", "transfers/s", "Hz"]);

function displayOf(unit: string, size: number, width: number | null): Display {
  if (unit === "ratio") return { factor: 100, unit: "%" };
  if (unit === "ns") {
    // Hours are used only for whole numbers of them, as a document would print.
    const steps = Number.isInteger(size / 3.6e12) ? TIMES : TIMES.slice(1);
    const scale = step(steps, size);
    return { factor: 1 / scale.from, unit: scale.unit };
  }
  if (unit === "bytes" || unit === "bytes/s" || unit === "bits/s") {
    const scale = step(SI, size);
    return { factor: 1 / scale.from, unit: `${scale.unit}${unit.replace("bytes", "B").replace("bits", "bit")}` };
  }
  if (PREFIXED.has(unit)) {
    const word = WORDS[unit] ?? unit;
    const scale = step(SI, size);
    const figures =
      decimalsOf(size / scale.from, width === null ? null : width / scale.from) + wholeDigits(size / scale.from);
    return figures <= MOST_SI_FIGURES && scale.from > 1 && size >= 1e4
      ? { factor: 1 / scale.from, unit: `${scale.unit}${NBSP}${word}`.trimEnd() }
      : { factor: 1, unit: word };
  }
  return { factor: 1, unit: WORDS[unit] ?? unit };
}

const wholeDigits = (value: number): number => Math.max(1, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);

/** Returns the decimals that `width` supports: one for 0.1. Without a width, the decimals of `value` itself. */
function decimalsOf(value: number, width: number | null): number {
  if (width !== null && width > 0) return Math.min(MOST_DECIMALS, Math.max(0, Math.round(-Math.log10(width))));
  const text = String(Number(value.toPrecision(12)));
  const point = text.indexOf(".");
  return point < 0 || text.includes("e") ? 0 : Math.min(MOST_DECIMALS, text.length - point - 1);
}

function digits(value: number, decimals: number): string {
  const [integer = "0", fraction] = Math.abs(Number(value.toPrecision(15)))
    .toFixed(decimals)
    .split(".");
  const grouped = Number(integer) >= 10_000 ? formatInteger(Number(integer)) : integer;
  return `${value < 0 ? "−" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

const SIGNS: Record<string, string> = { "<": "<", "<=": "≤", ">": ">", ">=": "≥", "~": "≈" };

const withUnit = (text: string, unit: string): string =>
  unit === "" || /^[kMGT](\u00a0|$)/.test(unit) ? text + unit : text + NBSP + unit;

const widthOf = ({ lower, upper }: PrintedNumber): number | null =>
  lower === null || upper === null ? null : upper - lower;

/** Formats a printed number, `17.9 %`, `1,005,768 ops/s`; returns the original characters if it is no number. */
export function printedText(printed: PrintedNumber): string {
  const { value, unit } = printed;
  if (value === null) return printed.as_printed ?? "—";
  const width = widthOf(printed);
  const display = displayOf(unit ?? "", Math.abs(value), width);
  const shown = value * display.factor;
  const text = digits(shown, decimalsOf(shown, width === null ? null : width * display.factor));
  const sign = SIGNS[printed.comparison ?? "="];
  return `${sign === undefined ? "" : `${sign}${NBSP}`}${withUnit(text, display.unit)}`;
}

/** Formats the interval of a printed number, `17.85–17.95 %`; `null` if it is exact or has no bounds. */
export function intervalText(printed: PrintedNumber): string | null {
  const { lower, upper, unit } = printed;
  if (lower === null && upper === null) return null;
  if (lower === upper) return null;
  const size = Math.max(Math.abs(lower ?? 0), Math.abs(upper ?? 0));
  // Uses the unit of the number itself, so that both are shown alike.
  const display = displayOf(unit ?? "", Math.abs(printed.value ?? size), widthOf(printed));
  const write = (end: number): string => {
    const shown = end * display.factor;
    return digits(shown, decimalsOf(Number(shown.toPrecision(10)), null));
  };
  if (lower === null) return `≤${NBSP}${withUnit(write(upper ?? 0), display.unit)}`;
  if (upper === null) return `≥${NBSP}${withUnit(write(lower), display.unit)}`;
  return withUnit(`${write(lower)}–${write(upper)}`, display.unit);
}

/** Returns the tooltip text: the characters of the document and the interval that their rounding allows. */
export function printedMeaning(printed: PrintedNumber): string {
  const interval = intervalText(printed);
  const characters = printed.as_printed ?? "";
  const unit = printed.unit_as_printed ?? "";
  const quoted = characters.endsWith(unit) || unit === "" ? characters : `${characters} ${unit}`;
  return joinParts(
    [
      quoted === "" ? null : `printed “${quoted}”`,
      printed.value === null
        ? "no number"
        : interval !== null
          ? printed.lower === null || printed.upper === null
            ? null
            : `its rounding allows ${interval}`
          : printed.comparison === "~"
            ? "nothing says how far it may be off"
            : "taken as exact",
    ],
    "; ",
  );
}
