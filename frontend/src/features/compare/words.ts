// Text for the figures of a comparison.
import type { ComparedSubject, Gain } from "@/api/comparisons";
import { formatCount, formatLatency, formatLatencyInterval, formatPercentInterval } from "@/lib/format";

const THROUGHPUT = "throughput_ops_per_s";
const isShare = (quantity: string): boolean => quantity.startsWith("share_") || quantity === "miss_ratio";

/** Returns the interval of a quantity with its unit: `612–640 ms`, `1.20M ops/s`, `0.1–0.2 %`. */
export function figureText(quantity: string, lower: number, upper: number | null): string {
  if (quantity === THROUGHPUT) {
    const [low, high] = [formatCount(lower, "down"), formatCount(upper ?? lower, "up")];
    return lower === upper || low === high ? `${formatCount(lower)}\u00a0ops/s` : `${low}–${high}\u00a0ops/s`;
  }
  if (isShare(quantity)) return formatPercentInterval(lower, upper ?? 1);
  if (upper === null) return `over ${formatLatency(lower, "down")}`;
  return formatLatencyInterval(lower, upper);
}

/** Return the figure of the base, and of what is compared with it. */
export const baseText = ({ quantity, base_lower, base_upper }: Gain): string =>
  figureText(quantity, base_lower, base_upper);
export const newText = ({ quantity, new_lower, new_upper }: Gain): string => figureText(quantity, new_lower, new_upper);

export function effectText(gain: Gain): string {
  if (gain.effect === "better") return "better, significant";
  if (gain.effect === "worse") return "worse, significant";
  if (gain.effect === "same") return "no change";
  return gain.why === null || gain.why === undefined ? "not shown" : `not shown: ${gain.why}`;
}

/** Returns the operations in flight by Little's law: `59.0–59.2`. */
export function inFlightText(subject: ComparedSubject | undefined): string {
  const { in_flight_lower: lower, in_flight_upper: upper } = subject ?? {};
  if (lower == null || upper == null) return "not known";
  const [low, high] = [formatCount(lower, "down"), formatCount(upper, "up")];
  return low === high ? low : `${low}–${high}`;
}
