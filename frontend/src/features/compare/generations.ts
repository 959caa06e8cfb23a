// Summary of a template of several pairs: range of the gains in the printed figures.
import type { Gain } from "@/api/comparisons";

const percents = (gain: Gain): readonly [number, number] | null => {
  const { record_ratio_lower: lower, record_ratio_upper: upper } = gain;
  return lower === null || upper === null ? null : [100 * (lower - 1), 100 * (upper - 1)];
};

/** Returns a gain in whole percent: `79 %`, `44–45 %`. */
export function percentText(gain: Gain): string {
  const ends = percents(gain);
  if (ends === null) return "not known";
  const [low, high] = ends.map(Math.round) as [number, number];
  return low === high ? `${low}\u00a0%` : `${low}–${high}\u00a0%`;
}

export function generationsSentence(gains: readonly Gain[]): string {
  const ends = gains.flatMap((gain) => percents(gain) ?? []);
  if (ends.length === 0) return "The throughput of the two servers is not known.";
  const [low, high] = [Math.round(Math.min(...ends)), Math.round(Math.max(...ends))];
  return `The new server does ${low}–${high}\u00a0% more operations a second, by workload.`;
}
