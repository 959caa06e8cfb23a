// Text for the difference between a unit and its siblings.
import type { SiblingUnit } from "@/api/campaigns";

type Deviation = SiblingUnit["deviations"][number];

export const EFFECTS: Record<SiblingUnit["effect"], string> = {
  worse: "worse",
  better: "better",
  same: "alike",
  open: "not judged",
};

export const isOutlier = ({ effect }: SiblingUnit): boolean => effect === "worse" || effect === "better";

const away = ({ ratio }: Deviation): number => (ratio === null ? Number.POSITIVE_INFINITY : Math.abs(Math.log(ratio)));

/** Returns the largest deviation, from those that are judged worse or better if there are any. */
export function largestOf({ deviations }: SiblingUnit): Deviation | undefined {
  const out = deviations.filter(({ effect }) => effect === "worse" || effect === "better");
  return [...(out.length > 0 ? out : deviations)].sort((first, second) => away(second) - away(first))[0];
}

/** Returns a deviation as text: `p99: 1.042 to 1.058 times its siblings`. */
export function deviationText({ label, ratio_lower, ratio_upper }: Deviation): string {
  if (ratio_lower === null || ratio_upper === null) return `${label}: its siblings have none`;
  return `${label}: ${ratio_lower.toFixed(3)} to ${ratio_upper.toFixed(3)} times its siblings`;
}
