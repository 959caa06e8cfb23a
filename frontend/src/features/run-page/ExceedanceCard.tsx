// Verdict on limits: each limit with the share over it, the used part of the limit, and requirements of a
// certification.
import type { ExceedanceFinding, Verdict, VerdictWord } from "@/api/types";
import { clockName, operationName } from "@/entities/run/words";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { verdictText } from "@/entities/verdict/words";
import { exactPercent, formatExactLatency, formatExactPercent, formatInteger, formatSpan } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { Unknown, Value } from "@/ui/Value";
import { VerdictCard } from "./VerdictCard";
import classes from "./VerdictCard.module.css";

type Row = ExceedanceFinding["rows"][number];

/** Returns the bounds of the share in this run; for older verdicts, its confidence bounds; null without any. */
function endsOf(row: Row): { lower: number; upper: number } | null {
  const lower = row.share_lower ?? row.ratio_lower;
  const upper = row.share_upper ?? row.ratio_upper;
  return lower === null || upper === null ? null : { lower, upper };
}

/** Returns the row with the highest share relative to its limit; null without rows. */
export function tightestRow(rows: readonly Row[]): Row | null {
  const used = (row: Row): number => (endsOf(row)?.upper ?? -1) / row.limit_ratio;
  return rows.reduce<Row | null>((worst, row) => (worst === null || used(row) > used(worst) ? row : worst), null);
}

/** Returns the row that represents a verdict: the most exceeded limit of a FAIL, otherwise the tightest limit. */
export function decidingRow(verdict: VerdictWord | null, rows: readonly Row[]): Row | null {
  // A FAIL may be due to a single hour; then no row fails, and null is returned.
  return tightestRow(verdict === "FAIL" ? rows.filter((row) => row.verdict === "FAIL") : rows);
}

export function ExceedanceCard({ verdict, finding }: { verdict: Verdict; finding: ExceedanceFinding }) {
  const deciding = decidingRow(verdict.verdict, finding.rows);
  const ends = deciding && endsOf(deciding);
  const total = finding.rows[0]?.total_count ?? 0;
  return (
    <VerdictCard
      verdict={verdict}
      headline={
        ends && (
          <>
            {shareText(ends.lower, ends.upper, { limit: deciding.limit_ratio })} take{" "}
            {formatExactLatency(deciding.threshold_ns)} or longer; limit {formatExactPercent(deciding.limit_ratio)}
          </>
        )
      }
      picture={
        <div className="stack-4">
          {finding.rows.map((row) => (
            <LimitRow key={row.threshold_ns} row={row} />
          ))}
        </div>
      }
    >
      <Facts>
        <Fact name="Judged">
          {formatInteger(total)}&nbsp;× {operationName(finding.operation).toLowerCase()}, {clockName(finding.clock)}.
          Misses count as over
        </Fact>
        {finding.certification === null ? null : <Certification certification={finding.certification} />}
      </Facts>
    </VerdictCard>
  );
}

const TONES = { PASS: "pass", FAIL: "fail", INDETERMINATE: "unsure" } as const;

/** End of the track, relative to the limit; larger shares fill the track. */
const TRACK_END = 1.25;

function LimitRow({ row }: { row: Row }) {
  const at = (share: number): string => `${Math.min(100, (100 * share) / (row.limit_ratio * TRACK_END))}%`;
  const fill = `var(--${TONES[row.verdict]}-fill)`;
  const ends = endsOf(row);
  return (
    <div className={classes["row"]}>
      <span>over {formatExactLatency(row.threshold_ns)}</span>
      <span className={classes["share"]}>
        {ends === null ? (
          <Unknown reason="no operation was judged yet" />
        ) : (
          <Value
            text={shareText(ends.lower, ends.upper, { limit: row.limit_ratio })}
            exact={`${formatInteger(row.over_count)} of ${formatInteger(row.total_count)}${row.ratio === null ? "" : ` = ${exactPercent(row.ratio)}`}`}
          />
        )}
      </span>
      <div className={classes["track"]} aria-hidden="true">
        {ends === null ? null : (
          <>
            <div className={classes["used"]} style={{ background: fill, width: at(ends.lower) }} />
            <div
              className={`${classes["used"]} ${classes["span"]}`}
              style={{ background: fill, left: at(ends.lower), width: `calc(${at(ends.upper)} - ${at(ends.lower)})` }}
            />
          </>
        )}
        <div className={classes["limit"]} style={{ left: `${100 / TRACK_END}%` }} />
      </div>
      <span className="dim">
        limit {formatExactPercent(row.limit_ratio)}
        <span className="visually-hidden">: {verdictText(row)}</span>
      </span>
    </div>
  );
}

function Certification({ certification }: { certification: NonNullable<ExceedanceFinding["certification"]> }) {
  const required = certification.required_duration_ns;
  const missing = Math.max(0, certification.required_duration_ns - certification.measured_duration_ns);
  return (
    <Fact name="Certification">
      <VerdictBadge of={certification} />{" "}
      {missing > 0 ? `needs ${formatSpan(missing)} more to ${formatSpan(required)}` : (certification.reason_text ?? "")}
    </Fact>
  );
}
