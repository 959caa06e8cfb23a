// The clock of a machine that is minutes off: smaller differences need no action.
import { formatSpan } from "./format";
import { nanoseconds } from "./units";

const FAR_APART_NS = 60e9;

/** Such as "3 h ahead"; null where it is right, or not compared yet. */
export function farApart(ahead_ns: number | null): string | null {
  if (ahead_ns === null || Math.abs(ahead_ns) < FAR_APART_NS) return null;
  return `${formatSpan(nanoseconds(Math.abs(ahead_ns)))} ${ahead_ns > 0 ? "ahead" : "behind"}`;
}
