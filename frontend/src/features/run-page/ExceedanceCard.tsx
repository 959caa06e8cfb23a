// Verdict on limits: each limit with the share over it, the used part of the limit, and requirements of a
// certification.
import type { ExceedanceFinding, Verdict, VerdictWord } from "@/api/types";
import { clockName, operationName } from "@/entities/run/words";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { Fact, Facts } from "@/entities/verdict/VerdictFacts";
import { verdictText } from "@/entities/verdict/words";
import { exactPercent, formatExactLatency, formatExactPercent, formatInteger, formatSpan } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { Unknown, Value } from "@/ui/Value";
import { VerdictCard } from "./VerdictCard";

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
      picture={<DataTable label="Limits of the verdict, as a table" plain columns={COLUMNS} rows={finding.rows} />}
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

/** End of the track, relative to the limit; larger shares fill the track. */
const TRACK_END = 1.25;
const LIMIT_AT = `${100 / TRACK_END}%`;

const trackAt = (share: number, { limit_ratio }: Row): string =>
  `${Math.min(100, (100 * share) / (limit_ratio * TRACK_END))}%`;

/** Draws the share between its bounds, the second lighter, and the limit as a line. */
function Track({ row }: { row: Row }) {
  const ends = endsOf(row);
  const part = (from: number, to: number, opacity: number) => (
    <div
      data-verdict={row.verdict}
      style={{
        ...{ position: "absolute", insetBlock: 0, opacity, background: "var(--verdict-fill)" },
        ...{ left: trackAt(from, row), width: `calc(${trackAt(to, row)} - ${trackAt(from, row)})` },
      }}
    />
  );
  return (
    <div style={{ position: "relative", minWidth: 48, height: 10, background: "var(--sunk-2)" }} aria-hidden="true">
      {ends === null ? null : part(0, ends.lower, 1)}
      {ends === null ? null : part(ends.lower, ends.upper, 0.45)}
      <div style={{ position: "absolute", insetBlock: -3, left: LIMIT_AT, width: 2, background: "var(--ink)" }} />
    </div>
  );
}

const COLUMNS: Columns<Row> = [
  { header: "Over", accessorFn: ({ threshold_ns }) => formatExactLatency(threshold_ns), meta: ROW_HEADER },
  {
    header: "Share",
    accessorFn: (row) => {
      const ends = endsOf(row);
      if (ends === null) return <Unknown reason="no operation was judged yet" />;
      const ratio = row.ratio === null ? "" : ` = ${exactPercent(row.ratio)}`;
      return (
        <Value
          text={shareText(ends.lower, ends.upper, { limit: row.limit_ratio })}
          exact={`${formatInteger(row.over_count)} of ${formatInteger(row.total_count)}${ratio}`}
        />
      );
    },
    meta: RIGHT,
  },
  { header: "Of the limit", accessorFn: (row) => <Track row={row} />, meta: { width: "40%" } },
  {
    header: "Limit",
    accessorFn: (row) => (
      <>
        {formatExactPercent(row.limit_ratio)}
        <span className="visually-hidden">: {verdictText(row)}</span>
      </>
    ),
    meta: RIGHT,
  },
];

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
