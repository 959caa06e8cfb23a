// The 99th percentile of a curve, as the sentences about a run and a campaign say it.
import type { PercentileCurve } from "@/api/types";

/** Return the time within which 99 of 100 operations end at most; null where no bound is known. */
export const p99UpperNs = ({ points }: Pick<PercentileCurve, "points">): number | null =>
  points.find(({ quantile }) => quantile >= 0.99)?.upper_ns ?? null;
