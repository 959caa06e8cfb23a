// Bar of a share of slow reads: solid up to the lower bound, light up to the upper bound, with a mark at the limit.
import { type LimitOfRating, type RangeLike, shareRangeText } from "@/entities/drive/ratings";
import { formatExactPercent } from "@/lib/format";

/** Position of the limit in the bar, as a share of its width. */
const LIMIT_AT = 0.75;

export function SlowReads({ range, limit }: { range: RangeLike; limit: LimitOfRating | undefined }) {
  const text = shareRangeText(range, limit === undefined ? [] : [limit]);
  if (text === null) return null;
  if (limit === undefined) return text;
  const at = (share: number): string => `${(100 * Math.min(1, (LIMIT_AT * share) / limit.limit_ratio)).toFixed(1)}%`;
  const isOver = range.lower_ratio >= limit.limit_ratio;
  return (
    <span className="row" style={{ justifyContent: "end" }} title={`limit ${formatExactPercent(limit.limit_ratio)}`}>
      {text}
      <svg className="no-print" style={{ flex: "none" }} width={64} height={12} aria-hidden="true">
        <rect y={3} width={64} height={6} rx={3} fill="var(--sunk-2)" />
        <rect y={3} width={at(range.upper_ratio)} height={6} rx={3} fill="var(--data-band)" />
        <rect y={3} width={at(range.lower_ratio)} height={6} rx={3} fill={`var(--${isOver ? "fail-fill" : "data"})`} />
        <rect x={`${100 * LIMIT_AT}%`} width={2} height={12} fill="var(--ink)" />
      </svg>
    </span>
  );
}
