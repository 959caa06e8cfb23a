// Parses a latency objective in one line, `p99 get < 10ms`, like
// backend/src/tailroom/domain/verdicts/objective_text.py.
import type { LimitsQuestion, TransactionsQuestion } from "./evidence";
import { MOST_COMBINATIONS, type RandomCount, type Scheduling, type Stage } from "./plans";

const SHARE = /^\s*(?:p\s?(\d{1,3}(?:\.\d{1,13})?)(?:\s*%)?|(\d{1,3}(?:\.\d{1,13})?)\s*%)(?:\s+of\b)?\s*/i;
const OPERATION = /^(?!\d)[^\s<≤=>%]+(?: (?!\d)[^\s<≤=>%]+)*/;
const HOW = "Write it as p99 read < 1ms, 99.9% get < 10ms or p99.9 < 5ms.";

/** Returns the question in a text, or a sentence on what is missing. */
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
    kind: "limits",
    operation: operation || "operation",
    clock: null,
    limits: [{ kind: "percentile", threshold_ns: thresholdNs, quantile }],
  };
}

const MOST_OPERATIONS = 1 << 20;

/** Fields of a stage, as typed. */
export type StageFields = {
  readonly operation: string;
  readonly count: string;
  readonly scheduling: Scheduling;
  readonly fanOut: string;
};
/** Fields of a question about transactions, as typed. */
export type TransactionFields = {
  readonly stages: readonly StageFields[];
  readonly window: string;
  readonly share: string;
};

/** Returns the question in the fields, or a sentence on what is wrong. */
export function transactionsOf(fields: TransactionFields): TransactionsQuestion | string {
  const plan: Stage[] = [];
  for (const typed of fields.stages) {
    const stage = stageOf(typed);
    if (typeof stage === "string") return stage;
    plan.push(stage);
  }
  const windowNs = durationOf(fields.window.trim());
  if (typeof windowNs === "string") return windowNs;
  const digits = PERCENT.exec(fields.share)?.[1];
  const objective = digits === undefined ? 0 : shareOf(digits);
  if (!(objective > 0 && objective < 1)) return "A share lies between 0 and 100\u00a0%, such as 99.9%.";
  return { kind: "transactions", plan, window_ns: windowNs, objective };
}

const PERCENT = /^\s*(\d{1,3}(?:\.\d{1,13})?)\s*%?\s*$/;

function stageOf({ operation, count: typed, scheduling, fanOut: atOnce }: StageFields): Stage | string {
  const count = typed.includes(":") ? randomCountOf(typed) : (wholeOf(typed) ?? FEW_OR_MANY);
  if (typeof count === "string") return count;
  if (typeof count !== "number" && scheduling === "pool") return "A pool needs a certain number of operations.";
  const fanOut = scheduling === "waves" || scheduling === "pool" ? wholeOf(atOnce) : 1;
  if (fanOut === null) return "How many operations are under way at once is a whole number from 1 on.";
  return { operation, count, fan_out: fanOut, scheduling, overhead_ns: 0 };
}

const FEW_OR_MANY = "A transaction has 1 to 1,048,576 operations.";

function wholeOf(text: string): number | null {
  const number = /^\s*\d{1,7}\s*$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= MOST_OPERATIONS ? number : null;
}

/** Parses numbers of operations with probabilities, `100: 90%, 250: 10%`; returns a sentence if invalid. */
function randomCountOf(text: string): RandomCount | string {
  const weights = new Map<number, number>();
  for (const part of text.split(",")) {
    const [number = "", percent = ""] = part.split(":");
    const count = wholeOf(number);
    const digits = PERCENT.exec(percent)?.[1];
    if (count === null || digits === undefined || weights.has(count))
      return "Write a random number of operations as 100: 90%, 250: 10%.";
    weights.set(count, shareOf(digits));
  }
  if (weights.size > MOST_COMBINATIONS) return `At most ${MOST_COMBINATIONS} numbers of operations are possible.`;
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (Math.abs(total - 1) > 1e-9) return "The shares of the numbers of operations add up to 100\u00a0%.";
  return [...weights].sort(([first], [second]) => first - second);
}

/** Converts 99.9 to 0.999 by moving the decimal point in the text: a division would give another double. */
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

/** Parses a duration into whole nanoseconds; returns a sentence if it is invalid. */
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
