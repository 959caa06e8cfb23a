// Bounds above which a slice is unreliable. The backend decides by the same values; the page draws them.
import { formatExactLatency } from "@/lib/format";

/** Allowed busy share of the busiest measuring thread. */
export const BUSY_RATIO = 0.7;

/** Returns the lateness limit as text: `allowed 100 ms`; null without a limit. */
export const lateLimitName = (limitNs: number | null): string | null =>
  limitNs === null ? null : `allowed ${formatExactLatency(limitNs)}`;

/** Returns why a slice is unreliable: `late`, `busy`, `late and busy`; null if neither is known. */
export function unreliableReason(
  latenessNs: number | null,
  busyRatio: number | null,
  limitNs: number | null,
): string | null {
  const doubts = [
    latenessNs !== null && limitNs !== null && latenessNs > limitNs ? "late" : null,
    busyRatio !== null && busyRatio > BUSY_RATIO ? "busy" : null,
  ].filter((doubt) => doubt !== null);
  return doubts.length === 0 ? null : doubts.join(" and ");
}
