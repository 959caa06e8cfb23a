// A judged transaction as a sentence with one number: of a PASS the room left, of a FAIL the time missing, of anything else the
// share of the evidence. Nothing is calculated here but differences of what the API says.
import { formatExactLatency, formatLatencyInterval, formatPercent } from "@/lib/format";
import { type Direction, toFigures } from "@/lib/rounding";
import { nanoseconds, ratio } from "@/lib/units";
import { reasonName } from "./words";

export type VerdictWord = "PASS" | "FAIL" | "INDETERMINATE";

export type Meter = {
  readonly share: number | null;
  readonly effective: number | null;
  readonly needed: number | null;
  readonly unit: "operations" | "transactions";
  readonly ways: readonly { readonly way?: string; readonly text: string }[];
};

/** Whether only the coarse steps of a quick answer leave it open: its reason is then not that of the record. */
export const needsExact = (meter: Meter | null): boolean =>
  meter?.ways.some(({ way }) => way === "exact_calculation") === true;

const NOT_EXACT = "a quick calculation does not decide it";

/** The time of a transaction at its objective, against its window. Null ends are not known. */
export type Room = {
  readonly verdict: VerdictWord;
  readonly windowNs: number;
  readonly reserveNs: number;
  /** Time that the operations take: at least, at most. */
  readonly usedLowerNs: number | null;
  readonly usedUpperNs: number | null;
};

export type RoomSource = {
  readonly window_ns: number;
  readonly reserve_ns: number;
  readonly room_lower_ns: number | null;
  readonly room_upper_ns: number | null;
  /** The time at the objective, where no room is left to tell it by. */
  readonly quantile_lower_ns?: number | null;
};

/** What is used is what the room leaves, so that picture and number rest on the same evidence. */
export function roomOf(verdict: VerdictWord, source: RoomSource): Room {
  const allowed = source.window_ns - source.reserve_ns;
  const { room_lower_ns: lower, room_upper_ns: upper, quantile_lower_ns: quantile } = source;
  return {
    verdict,
    windowNs: source.window_ns,
    reserveNs: source.reserve_ns,
    usedLowerNs: upper === null ? (quantile ?? null) : allowed - upper,
    usedUpperNs: lower === null ? null : allowed - lower,
  };
}

export const allowedNs = ({ windowNs, reserveNs }: Room): number => windowNs - reserveNs;

/** The room between its ends; null where nothing is known or nothing is left. */
export function roomEnds(room: Room): { lowerNs: number; upperNs: number } | null {
  if (room.usedLowerNs === null) return null;
  const upperNs = allowedNs(room) - room.usedLowerNs;
  if (upperNs <= 0) return null;
  return { lowerNs: Math.max(0, allowedNs(room) - (room.usedUpperNs ?? allowedNs(room))), upperNs };
}

const UNITS = [
  { name: "s", size: 1e9 },
  { name: "ms", size: 1e6 },
  { name: "µs", size: 1e3 },
] as const;

/** Two figures, rounded to the unfavourable side: `570 ms`. */
export function boundText(valueNs: number, direction: Direction): string {
  const unit = UNITS.find(({ size }) => Math.abs(valueNs) >= size);
  if (unit === undefined) return formatExactLatency(nanoseconds(valueNs));
  const digits = twoFigures(valueNs / unit.size, direction);
  return digits === 1000 && unit.name !== "s"
    ? boundText(unit.size * 1000, "nearest")
    : `${Number.isInteger(digits) ? digits : toFigures(digits, "nearest", 2)}\u00a0${unit.name}`;
}

function twoFigures(value: number, direction: Direction): number {
  const scale = 10 ** (Math.floor(Math.log10(Math.abs(value)) + 1e-12) - 1);
  const scaled = Number((value / scale).toPrecision(12));
  const rounded =
    direction === "down" ? Math.floor(scaled) : direction === "up" ? Math.ceil(scaled) : Math.round(scaled);
  return Number((rounded * scale).toPrecision(12));
}

/** `170–370 ms`, outwards. */
export function boundsText(lowerNs: number, upperNs: number): string {
  if (lowerNs === upperNs) return boundText(lowerNs, "nearest");
  if (lowerNs <= 0) return `at most ${boundText(upperNs, "up")}`;
  const [from, to] = [boundText(lowerNs, "down"), boundText(upperNs, "up")];
  const [digits, unit] = from.split("\u00a0");
  if (from === to) return from;
  return to.endsWith(`\u00a0${unit}`) ? `${digits}–${to}` : `${from}–${to}`;
}

/** Every digit that the ends have, for hover. */
export const exactBounds = (lowerNs: number, upperNs: number): string =>
  formatLatencyInterval(nanoseconds(lowerNs), nanoseconds(upperNs));

/** Words around the one number that carries the colour of the verdict. */
export type Sentence = { readonly before: string; readonly key: string; readonly after: string };

/** `72 %`: what is there never reads as all of it. */
export const shareText = (share: number): string =>
  share >= 1
    ? formatPercent(ratio(1))
    : share >= 0.1
      ? `${Math.floor(share * 100)}\u00a0%`
      : formatPercent(ratio(share), "down");

const NEEDED = { operations: "operations", transactions: "transactions" } as const;

export function answerSentence(room: Room, meter: Meter | null, reason: string | null): Sentence {
  const ends = roomEnds(room);
  if (room.verdict === "PASS") {
    return ends === null || ends.lowerNs === 0
      ? { before: "It fits", key: "", after: "." }
      : { before: "It fits, with at least ", key: boundText(ends.lowerNs, "down"), after: " to spare." };
  }
  if (room.verdict === "FAIL") {
    const missing = room.usedLowerNs === null ? 0 : room.usedLowerNs - allowedNs(room);
    return missing > 0
      ? { before: "Too slow: at least ", key: boundText(missing, "down"), after: " over the limit." }
      : { before: "Too slow for this share of transactions", key: "", after: "." };
  }
  if (meter !== null && meter.share !== null && meter.share < 1) {
    return {
      before: "Not shown yet: this run has ",
      key: shareText(meter.share),
      after: ` of the ${NEEDED[meter.unit]} needed.`,
    };
  }
  const why = needsExact(meter) ? NOT_EXACT : reason === null ? null : reasonName(reason);
  return { before: "Not shown", key: "", after: why === null ? "." : `: ${why}.` };
}

const LIMITS: Record<VerdictWord, Sentence> = {
  PASS: { before: "Every limit is kept", key: "", after: "." },
  FAIL: { before: "A limit is broken", key: "", after: "." },
  INDETERMINATE: { before: "Not shown", key: "", after: "." },
};

/** Of any budget; without a room it is about limits. */
export function verdictSentence(
  verdict: VerdictWord,
  reason: string | null,
  meter: Meter | null,
  room: Room | null,
): Sentence {
  if (room !== null) return answerSentence(room, meter, reason);
  const plain = LIMITS[verdict];
  return verdict === "INDETERMINATE" && reason !== null ? { ...plain, after: `: ${reasonName(reason)}.` } : plain;
}

/** The same in a row of a list: `at least 570 ms to spare`, `72 % of the operations needed`. */
export function briefAnswer(
  room: Room | null,
  verdict: VerdictWord,
  meter: Meter | null,
  reason: string | null,
): string {
  if (verdict === "PASS") {
    const ends = room === null ? null : roomEnds(room);
    return ends === null || ends.lowerNs === 0 ? "meets it" : `at least ${boundText(ends.lowerNs, "down")} to spare`;
  }
  if (verdict === "FAIL") {
    const missing = room === null || room.usedLowerNs === null ? 0 : room.usedLowerNs - allowedNs(room);
    return missing > 0 ? `at least ${boundText(missing, "down")} too slow` : "misses it";
  }
  if (meter !== null && meter.share !== null && meter.share < 1)
    return `${shareText(meter.share)} of the ${NEEDED[meter.unit]} needed`;
  if (needsExact(meter)) return NOT_EXACT;
  return reason === null ? "not shown" : reasonName(reason);
}

export const spoken = ({ before, key, after }: Sentence): string => `${before}${key}${after}`;
