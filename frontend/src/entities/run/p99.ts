// The 99th percentile of a curve, as used in summaries of runs and campaigns.
import type { PercentileCurve } from "@/api/types";

/** Returns the upper bound of the 99th percentile in nanoseconds; `null` if it is unknown. */
export const p99UpperNs = ({ points }: Pick<PercentileCurve, "points">): number | null =>
  points.find(({ quantile }) => quantile >= 0.99)?.upper_ns ?? null;
