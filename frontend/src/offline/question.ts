// A latency objective in one line, `p99 get < 10ms`, as backend/src/tailroom/domain/verdicts/objective_text.py reads it.
import type { LimitsQuestion } from "./evidence";

const SHARE = /^\s*(?:p\s?(\d{1,3}(?:\.\d{1,13})?)(?:\s*%)?|(\d{1,3}(?:\.\d{1,13})?)\s*%)(?:\s+of\b)?\s*/i;
const OPERATION = /^(?!\d)[^\s<≤=>%]+(?: (?!\d)[^\s<≤=>%]+)*/;
const HOW = "Write it as p99 read < 1ms, 99.9% get < 10ms or p99.9 < 5ms.";

/** Return the question of a text, or a sentence that says what is missing. */
export function questionOf(text: string): LimitsQuestion | string {
  const share = SHARE.exec(text);
  const digits = share?.[1] ?? share?.[2];
  if (share === null || digits === undefined) return `A share comes first, such as p99 or 99.9%. ${HOW}`;
  const quantile = shareOf(digits);
  if (!(quantile > 0 && quantile < 1)) return `A share lies between 0 and 100\u00a0%. ${HOW}`;
  let rest = text.slice(share[0].length);
  const operation = OPERATION.exec(rest)?.[0] ?? "";
  rest = rest.slice(operation.length).trimStart();
  const comparison = /^(<=|≤|<)/.exec(rest)?.[0];
  if (comparison === undefined) return `< and a time are missing. ${HOW}`;
  const time = durationOf(rest.slice(comparison.length).trim());
  if (typeof time === "string") return `${time} ${HOW}`;
  const thresholdNs = comparison === "<" ? time : time + 1;
  return {
    operation: operation || "operation",
    clock: null,
    limits: [{ kind: "percentile", threshold_ns: thresholdNs, quantile }],
  };
}

/** 99.9 as 0.999: the point is moved in the digits, because a division would leave another number. */
function shareOf(percent: string): number {
  const [integer = "0", fraction = ""] = percent.split(".");
  return Number(`${integer}${fraction}e-${fraction.length + 2}`);
}

const UNITS_NS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  min: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
};

/** Whole nanoseconds, or a sentence. */
function durationOf(text: string): number | string {
  const [, integer = "", fraction = "", unit = ""] =
    /^(\d{1,18})(?:\.(\d{1,12}))?\s*(ns|us|µs|μs|ms|s|min|h|d)$/.exec(text) ?? [];
  const unitNs = UNITS_NS[unit];
  if (unitNs === undefined) return "A time has a unit, such as 10ms or 250us.";
  const scale = 10n ** BigInt(fraction.length);
  const scaled = BigInt(integer + fraction) * unitNs;
  const time = Number(scaled / scale);
  if (scaled % scale !== 0n || !Number.isSafeInteger(time)) return "Times are whole nanoseconds, at most 104 days.";
  return time > 0 ? time : "The time must be more than 0.";
}
