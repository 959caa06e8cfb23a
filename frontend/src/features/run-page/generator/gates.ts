// From when on a piece of time is in doubt, as the method has it: the page draws these lines, the backend decides by them.
import { formatExactLatency, formatExactPercent } from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";

/** Lateness that is allowed: the smallest threshold, divided by this. */
const LATENESS_DIVISOR = 10;
/** Share of the time that the busiest measuring thread may work. */
export const BUSY_RATIO = 0.7;

/** What the generator may be late by at p99; null where no threshold is counted exactly. */
export function latenessGateNs(pinThresholdsNs: readonly number[]): number | null {
  return pinThresholdsNs.length === 0 ? null : Math.min(...pinThresholdsNs) / LATENESS_DIVISOR;
}

/** `allowed 100 µs (10 % of 1 ms)` */
export function gateName(pinThresholdsNs: readonly number[]): string | null {
  const gate = latenessGateNs(pinThresholdsNs);
  if (gate === null) return null;
  const part = formatExactPercent(ratio(1 / LATENESS_DIVISOR));
  return `allowed ${formatExactLatency(nanoseconds(gate))} (${part} of ${formatExactLatency(nanoseconds(Math.min(...pinThresholdsNs)))})`;
}

/** `late`, `busy`, `late and busy`; null where neither is known to be so. */
export function doubtOf(latenessNs: number | null, busyRatio: number | null, gateNs: number | null): string | null {
  const found = [
    latenessNs !== null && gateNs !== null && latenessNs > gateNs ? "late" : null,
    busyRatio !== null && busyRatio > BUSY_RATIO ? "busy" : null,
  ].filter((one) => one !== null);
  return found.length === 0 ? null : found.join(" and ");
}
