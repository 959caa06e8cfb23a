// From when on a slice is unreliable: the backend decides by these bounds, and the page draws them.
import { formatExactLatency } from "@/lib/format";
import { nanoseconds } from "@/lib/units";

/** Share of the time that the busiest measuring thread may work. */
export const BUSY_RATIO = 0.7;

/** `allowed 100 ms`; null where no question sets a limit. */
export const lateLimitName = (limitNs: number | null): string | null =>
  limitNs === null ? null : `allowed ${formatExactLatency(nanoseconds(limitNs))}`;

/** `late`, `busy`, `late and busy`; null where neither is known to be so. */
export function doubtOf(latenessNs: number | null, busyRatio: number | null, limitNs: number | null): string | null {
  const doubts = [
    latenessNs !== null && limitNs !== null && latenessNs > limitNs ? "late" : null,
    busyRatio !== null && busyRatio > BUSY_RATIO ? "busy" : null,
  ].filter((doubt) => doubt !== null);
  return doubts.length === 0 ? null : doubts.join(" and ");
}
