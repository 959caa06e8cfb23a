// Renders the rank of a drive among rows of equal conditions, or the reason why it has none.
import type { LeaderboardRow } from "@/api/types";
import { Unknown } from "@/ui/Value";
import { rankMeaning, rankText } from "./ratings";

export function Rank({ row: { rank, unranked_reason } }: { row: Pick<LeaderboardRow, "rank" | "unranked_reason"> }) {
  if (rank === null)
    return <Unknown reason={unranked_reason ?? "no test of it decides anything, so it has no place"} />;
  return (
    <span title={rankMeaning(rank)}>
      {rankText(rank)} <span className="dim">of {rank.among}</span>
    </span>
  );
}
