// Bar of a share of slow reads: solid up to the lower bound, light up to the upper bound, with a mark at the limit.
import { type LimitOfRating, type RangeLike, shareRangeText } from "@/entities/drive/ratings";
import { formatExactPercent } from "@/lib/format";
import classes from "./SlowReads.module.css";

/** Position of the limit in the bar, as a share of its width. */
const LIMIT_AT = 0.75;

export function SlowReads({ range, limit }: { range: RangeLike; limit: LimitOfRating | undefined }) {
  const text = shareRangeText(range, limit === undefined ? [] : [limit]);
  if (text === null) return null;
  if (limit === undefined) return text;
  const at = (share: number): string => `${(100 * Math.min(1, (LIMIT_AT * share) / limit.limit_ratio)).toFixed(1)}%`;
  return (
    <span className={classes["reads"]} title={`limit ${formatExactPercent(limit.limit_ratio)}`}>
      {text}
      <span className={classes["bar"]} data-over={range.lower_ratio >= limit.limit_ratio || undefined}>
        <span className={classes["possible"]} style={{ width: at(range.upper_ratio) }} />
        <span className={classes["sure"]} style={{ width: at(range.lower_ratio) }} />
        <span className={classes["limit"]} style={{ left: `${100 * LIMIT_AT}%` }} />
      </span>
    </span>
  );
}
