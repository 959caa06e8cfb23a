// Smallest clock difference that is shown, in nanoseconds. Smaller differences need no action.
import { formatSpan } from "./format";

const LEAST_CLOCK_OFFSET_NS = 60e9;

/** Returns text such as "3 h ahead"; `null` if the difference is below a minute or not measured yet. */
export function clockOffsetText(ahead_ns: number | null): string | null {
  if (ahead_ns === null || Math.abs(ahead_ns) < LEAST_CLOCK_OFFSET_NS) return null;
  return `${formatSpan(Math.abs(ahead_ns))} ${ahead_ns > 0 ? "ahead" : "behind"}`;
}
