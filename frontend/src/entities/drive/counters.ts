// Figures from the drives' own counters, with the same labels in the leaderboard, on drive pages and in comparisons.
import type { LeaderboardRow } from "@/api/types";
import { loadText } from "./ratings";

type Counters = NonNullable<LeaderboardRow["counters"]>;
export type CounterFigure = Counters["figures"][number];

export const COUNTERS = [
  {
    figure: "write_amplification_ratio",
    column: "write_amplification",
    label: "Write ampl.",
    name: "Write amplification",
    meaning: "bytes written to the flash for each byte that hosts wrote, as the drive counts",
  },
  {
    figure: "life_at_this_load_hours",
    column: "life",
    label: "Life",
    name: "Life at this load",
    meaning: "rated life that is left, if bytes go on to be written as in the test",
  },
  {
    figure: "wear_used_pct",
    column: "wear",
    label: "Wear",
    name: "Rated life used",
    meaning: "at the end of the test, as the drive states it in whole per cent",
  },
  {
    figure: "throttled_s",
    column: "throttled",
    label: "Throttled",
    name: "Slowed down by heat",
    meaning: "time in the test in which the drive slowed itself down",
  },
] as const;

/** Returns a figure with its bounds; `null` if it is unknown. */
export const counterText = (figures: readonly CounterFigure[], key: string): string | null =>
  figures.find((figure) => figure.key === key)?.text ?? null;

/** Returns a row's figure, with `2–2.001 at 6x, by the drive's own counters` as its exact text. */
export function counterOfRow(
  { counters }: LeaderboardRow,
  key: string,
): { readonly text: string; readonly exact: string } | null {
  const text = counters === null ? null : counterText(counters.figures, key);
  if (counters === null || text === null) return null;
  return { text, exact: `${text} at ${loadText(counters.load)}, by the drive's own counters` };
}

export const NO_COUNTER = "no test of it has read this from the drive";
