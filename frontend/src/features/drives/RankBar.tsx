// Bar of a rank range among all places; overlapping ranges are ties.
import type { RankLike } from "@/entities/drive/ratings";

const WIDTH = 40;

export function RankBar({ rank: { best, worst, among } }: { rank: RankLike }) {
  const places = Math.max(1, among);
  const from = ((best - 1) / places) * WIDTH;
  const width = Math.max(2, ((worst - best + 1) / places) * WIDTH);
  return (
    <svg
      style={{ display: "block", marginTop: 4 }}
      width={WIDTH}
      height="6"
      viewBox={`0 0 ${WIDTH} 6`}
      aria-hidden="true"
    >
      <rect x="0" y="2.5" width={WIDTH} height="1" fill="var(--line)" />
      <rect x={Math.min(from, WIDTH - width)} y="0" width={width} height="6" rx="1.5" fill="var(--series-3)" />
    </svg>
  );
}
