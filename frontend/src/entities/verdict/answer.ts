// A judged transaction as a sentence with one number: for PASS the room left, for FAIL the excess time. Only
// differences of API values are computed here.
import type { BudgetDocument, Evaluation, MatchItem, Schemas, VerdictSummary } from "@/api/types";
import { operationCountText } from "@/entities/run/words";
import { formatExactLatency, isPowerOfTwoEdge, plural, sentence, unbroken, unitOf } from "@/lib/format";
import type { Direction } from "@/lib/rounding";
import { shareEndText } from "@/lib/shares";
import { type Judged, reasonName, type VerdictWord } from "./words";

export type { VerdictWord } from "./words";

export type Meter = Schemas["EvidenceMeterOut"];

/** Returns whether only the coarse steps of a quick answer leave it undecided, so that the exact answer is needed. */
export const needsExact = (meter: Meter | null): boolean =>
  meter?.ways.some(({ way }) => way === "exact_calculation") === true;

/** Time of a transaction at its objective, compared with its window. Unknown bounds are `null`. */
export type Room = {
  readonly verdict: VerdictWord;
  readonly windowNs: number;
  readonly reserveNs: number;
  /** Least and greatest time of the operations, in nanoseconds. */
  readonly usedLowerNs: number | null;
  readonly usedUpperNs: number | null;
  /** Operations that take the time: `250 reads`. */
  readonly what?: string | undefined;
};

export type RoomSource = {
  readonly window_ns: number;
  readonly reserve_ns: number;
  readonly room_lower_ns: number | null;
  readonly room_upper_ns: number | null;
  /** Lower bound of the time at the objective, used if no room is left. */
  readonly quantile_lower_ns?: number | null;
  readonly reads?: number;
  /** Operations in words, if they are not all reads. */
  readonly what?: string | undefined;
};

/** Returns the room of a verdict. Used time is derived from the room, so that both have the same evidence. */
export function roomOf(verdict: VerdictWord, source: RoomSource): Room {
  const allowed = source.window_ns - source.reserve_ns;
  const { room_lower_ns: lower, room_upper_ns: upper, quantile_lower_ns: quantile, reads } = source;
  return {
    verdict,
    windowNs: source.window_ns,
    reserveNs: source.reserve_ns,
    usedLowerNs: upper === null ? (quantile ?? null) : allowed - upper,
    usedUpperNs: lower === null ? null : allowed - lower,
    what: source.what ?? (reads === undefined ? undefined : operationCountText("read", reads)),
  };
}

export const allowedNs = ({ windowNs, reserveNs }: Room): number => windowNs - reserveNs;

/** Rounds a time to two significant digits; more if it would otherwise cross `limitNs`. */
function roundTime(valueNs: number, direction: Direction, limitNs: number | null = null): number {
  if (valueNs === 0) return 0;
  const exponent = Math.floor(Math.log10(Math.abs(valueNs)) + 1e-12);
  const side = (value: number): number => (limitNs === null ? 0 : Math.sign(value - limitNs));
  for (let digits = 2; digits < 12; digits += 1) {
    const scale = 10 ** (exponent - digits + 1);
    const scaled = Number((valueNs / scale).toPrecision(14));
    const integer =
      direction === "down" ? Math.floor(scaled) : direction === "up" ? Math.ceil(scaled) : Math.round(scaled);
    const rounded = Number((integer * scale).toPrecision(14));
    if (side(rounded) === side(valueNs)) return rounded;
  }
  return valueNs;
}

/** Formats a bound with two significant digits, rounded in `direction` but never across the limit: `570 ms`. */
export const boundText = (valueNs: number, direction: Direction, limitNs: number | null = null): string =>
  formatExactLatency(roundTime(valueNs, direction, limitNs));

/** Formats two bounds, rounded outward: `170–370 ms`. */
export function boundsText(lowerNs: number, upperNs: number, limitNs: number | null = null): string {
  if (lowerNs === upperNs) return boundText(lowerNs, "nearest", limitNs);
  if (lowerNs <= 0) return `at most ${boundText(upperNs, "up", limitNs)}`;
  return spanText(roundTime(lowerNs, "down", limitNs), roundTime(upperNs, "up", limitNs));
}

/** Formats two bounds with all their digits: `20–61 ms`. */
function spanText(lowerNs: number, upperNs: number): string {
  if (lowerNs === upperNs) return formatExactLatency(lowerNs);
  if (lowerNs <= 0) return `at most ${formatExactLatency(upperNs)}`;
  const unit = unitOf(upperNs);
  if (lowerNs < unit.size / 10) return `${formatExactLatency(lowerNs)}–${formatExactLatency(upperNs)}`;
  const digits = (value: number): string => String(Number((value / unit.size).toPrecision(12)));
  return `${digits(lowerNs)}–${digits(upperNs)}\u00a0${unit.name}`;
}

const roundEdge = (valueNs: number, direction: Direction): number =>
  isPowerOfTwoEdge(valueNs) ? valueNs : roundTime(valueNs, direction);

/** Formats a latency bound with two significant digits; power-of-two bucket edges exactly: `8.192 ms`. */
export const edgeText = (valueNs: number, direction: Direction): string =>
  formatExactLatency(roundEdge(valueNs, direction));

/** Formats two latency bounds, power-of-two bucket edges exactly: `65.536–131.072 ms`, `64–130 ms`. */
export const edgesText = (lowerNs: number, upperNs: number): string =>
  spanText(roundEdge(lowerNs, "down"), roundEdge(upperNs, "up"));

type Ends = { readonly lowerNs: number; readonly upperNs: number };

/** Returns the room left: allowed time minus the printed time of the reads. `null` if unknown or none is left. */
export function roomEnds(room: Room): Ends | null {
  const allowed = allowedNs(room);
  if (room.usedLowerNs === null || room.usedLowerNs >= allowed) return null;
  const exact = room.usedLowerNs === room.usedUpperNs;
  const upperNs = allowed - Math.max(0, roundTime(room.usedLowerNs, exact ? "nearest" : "down", allowed));
  if (room.usedUpperNs === null || room.usedUpperNs >= allowed) return { lowerNs: 0, upperNs };
  const lowerNs = allowed - roundTime(room.usedUpperNs, exact ? "nearest" : "up", allowed);
  return { lowerNs: Math.max(0, lowerNs), upperNs };
}

/** Formats the room left: `20–61 ms`, `at most 20 ms`. */
export const roomText = ({ lowerNs, upperNs }: Ends): string => spanText(lowerNs, upperNs);

/** Formats the time used: `39–80 ms`, `at least 39 ms`. */
export function usedText(room: Room): string {
  const { usedLowerNs: lower, usedUpperNs: upper } = room;
  if (lower === null) return "unknown";
  const limit = allowedNs(room);
  return upper === null ? `at least ${boundText(lower, "down", limit)}` : boundsText(lower, upper, limit);
}

/** A sentence in three parts; `key` is the number in the verdict's colour. */
export type Sentence = { readonly before: string; readonly key: string; readonly after: string };

export const plainSentence = (text: string): Sentence => ({ before: text, key: "", after: "" });

/** Formats the share of the required evidence: `72 %`. Incomplete evidence never prints as 100 %. */
export const evidenceText = (share: number): string =>
  share >= 0.1 && share < 1 ? `${Math.floor(share * 100)}\u00a0%` : shareEndText(Math.min(1, share), "down");

/** Returns the heading of an answer: time and room left, else the share beside the objective. */
export function answerSentence(of: Judged, room: Room | null, headline: string | null): Sentence {
  const timed = room === null ? null : timeSentence(of.verdict, room);
  if (timed !== null) return timed;
  if (headline !== null) return plainSentence(`${sentence(unbroken(headline))}.`);
  return plainSentence(of.reason ? `Undecided: ${reasonName(of.reason)}.` : "Nothing was measured.");
}

function timeSentence(verdict: VerdictWord, room: Room): Sentence | null {
  const { usedLowerNs: lower, usedUpperNs: upper } = room;
  const allowed = allowedNs(room);
  const what = room.what ?? "The reads";
  // One operation takes, several take.
  const s = /^1 [^,]+$/.test(what) ? "s" : "";
  if (verdict === "PASS") {
    const ends = roomEnds(room);
    if (upper === null || ends === null || ends.lowerNs === 0) return null;
    const end = boundText(upper, lower === upper ? "nearest" : "up", allowed);
    return {
      before: `${what} end${s} within ${end}, with at least `,
      key: formatExactLatency(ends.lowerNs),
      after: " to spare.",
    };
  }
  if (verdict === "FAIL" && lower !== null && lower > allowed) {
    const least = roundTime(lower, "down", allowed);
    return {
      before: `Too slow: ${what.toLowerCase()} take${s} at least ${formatExactLatency(least)}, `,
      key: formatExactLatency(least - allowed),
      after: " too long.",
    };
  }
  if (verdict === "INDETERMINATE" && lower !== null && upper !== null)
    return plainSentence(`${what} take${s} ${usedText(room)}, and ${formatExactLatency(allowed)} are allowed.`);
  return null;
}

/** Returns `at least 570 ms to spare` or `at least 80 ms too slow`, for lists; `null` if the badge suffices. */
export function briefAnswer(room: Room | null, { verdict }: Judged): string | null {
  if (room === null) return null;
  if (verdict === "PASS") {
    const ends = roomEnds(room);
    return ends === null || ends.lowerNs === 0 ? null : `at least ${formatExactLatency(ends.lowerNs)} to spare`;
  }
  const allowed = allowedNs(room);
  if (verdict === "FAIL" && room.usedLowerNs !== null && room.usedLowerNs > allowed)
    return `at least ${formatExactLatency(roundTime(room.usedLowerNs, "down", allowed) - allowed)} too slow`;
  return null;
}

type Transaction = Extract<BudgetDocument, { kind: "transaction" }>;
type Answered = Pick<Evaluation | MatchItem, "room_lower_ns" | "room_upper_ns"> & {
  readonly quantile_lower_ns?: number | null;
};

export function roomSource(answer: Answered, { window_ns, reserve_ns, plan }: Transaction): RoomSource {
  const [stage] = plan.stages;
  const only = plan.stages.length === 1 ? stage : undefined;
  return {
    window_ns,
    reserve_ns: reserve_ns ?? 0,
    room_lower_ns: answer.room_lower_ns,
    room_upper_ns: answer.room_upper_ns,
    quantile_lower_ns: answer.quantile_lower_ns ?? null,
    what: typeof only?.count === "number" ? operationCountText(only.operation, only.count) : undefined,
  };
}

/** Returns the room of a verdict for drawing; `null` if it is not about a transaction. */
export const roomIn = ({ room, verdict }: VerdictSummary): Room | null => (room == null ? null : roomOf(verdict, room));

/** Returns the result for lists: `at least 570 ms to spare`, the reason for too few operations, else the headline. */
export function briefOf(summary: VerdictSummary): string | null {
  const brief = briefAnswer(roomIn(summary), summary);
  if (brief !== null) return brief;
  // If operations are too few, the headline's interval would not explain why the verdict is undecided.
  const isShort = summary.verdict === "INDETERMINATE" && summary.reason === "samples";
  const text = (isShort ? summary.reason_text : null) ?? summary.headline;
  return text == null ? null : unbroken(text);
}

const COUNTED = { PASS: "passed", INDETERMINATE: "undecided" } as const;

/** Returns the verdicts that a list shows, the first and all failures, and the number of the others. */
export function verdictsInList(verdicts: readonly VerdictSummary[]): {
  readonly shown: readonly VerdictSummary[];
  readonly others: string;
} {
  const shown = verdicts.filter(({ verdict }, index) => index === 0 || verdict === "FAIL");
  const rest = verdicts.filter((verdict) => !shown.includes(verdict));
  const counts = (["PASS", "INDETERMINATE"] as const).flatMap((word) => {
    const count = rest.filter(({ verdict }) => verdict === word).length;
    return count === 0 ? [] : [`${count} ${COUNTED[word]}`];
  });
  return { shown, others: counts.length === 0 ? "" : `${plural(rest.length, "other question")}: ${counts.join(", ")}` };
}
