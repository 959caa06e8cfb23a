// Limits of a budget as text, beside the measured values. Bounds are never rounded to their favourable side.

import type { Schemas, Verdict } from "@/api/types";
import { clockName, operationName } from "@/entities/run/words";
import { formatCount, formatExactLatency, formatExactPercent, joinParts } from "@/lib/format";
import type { Direction } from "@/lib/rounding";
import { shareText } from "@/lib/shares";

export type LimitLike = Schemas["LimitRowOut"];

/** Returns the limits of a stored verdict, which the API's description leaves untyped. */
export const limitsOf = ({ rows }: Pick<Verdict, "rows">): readonly LimitLike[] =>
  (rows ?? []) as unknown as readonly LimitLike[];

type Write = (value: number, direction: Direction) => string;

const QUANTITIES: Record<string, { name: string; write: Write }> = {
  operations_per_s: { name: "operations", write: (value, way) => `${formatCount(value, way)}\u00a0ops/s` },
  disk_bytes_per_s: { name: "disk transfer", write: (value, way) => `${formatCount(value, way)}B/s` },
  network_bits_per_s: { name: "network transfer", write: (value, way) => `${formatCount(value, way)}bit/s` },
};

export type LimitText = { readonly name: string; readonly limit: string; readonly measured: string | null };

export function limitText(row: LimitLike): LimitText {
  const subject = joinParts(
    [row.operation === null ? "" : operationName(row.operation), row.clock === null ? "" : clockName(row.clock)],
    ", ",
  );
  const named = (what: string): string => (subject === "" ? what : `${subject}: ${what}`);
  const threshold = row.threshold_ns == null ? "the limit" : formatExactLatency(row.threshold_ns);
  if (row.kind === "exceedance") {
    return {
      name: named(`share over ${threshold}`),
      limit: `<\u00a0${formatExactPercent(row.limit)}`,
      measured: measuredShare(row),
    };
  }
  if (row.kind === "percentile") {
    return {
      name: named(`share under ${threshold}`),
      limit: `≥\u00a0${formatExactPercent(row.limit)}`,
      measured: measuredShare(row),
    };
  }
  const { name, write } = QUANTITIES[row.quantity ?? ""] ?? { name: row.quantity ?? row.kind, write: formatCount };
  return { name: named(name), limit: `>\u00a0${write(row.limit, "nearest")}`, measured: measuredText(row, write) };
}

/** Returns the bounds in this run; for verdicts of older methods, the proven bounds. */
function measuredEnds({ observed_lower, observed_upper, value_lower, value_upper }: LimitLike) {
  const isObserved = observed_lower != null && observed_upper != null;
  return isObserved ? { lower: observed_lower, upper: observed_upper } : { lower: value_lower, upper: value_upper };
}

function measuredShare(row: LimitLike): string | null {
  const { lower, upper } = measuredEnds(row);
  const options = { limit: row.limit };
  if (lower === null && upper === null) return row.value === null ? null : shareText(row.value, row.value, options);
  return shareText(lower ?? 0, upper ?? 1, options);
}

function measuredText(row: LimitLike, write: Write): string | null {
  const { value } = row;
  const { lower, upper } = measuredEnds(row);
  if (lower === null && upper === null) return value === null ? null : write(value, "nearest");
  if (upper === null) return `≥\u00a0${write(lower ?? 0, "down")}`;
  if (lower === null) return `≤\u00a0${write(upper, "up")}`;
  if (lower === upper) return write(lower, "nearest");
  return `${write(lower, "down")} – ${write(upper, "up")}`;
}
