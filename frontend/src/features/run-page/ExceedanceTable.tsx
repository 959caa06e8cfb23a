// Shares over every threshold, per operation and clock: the table behind the verdict on limits.
import { useId } from "react";
import type { ExceedanceRow, Percentiles } from "@/api/types";
import { clockName, operationName } from "@/entities/run/words";
import { saveCsv } from "@/lib/csv";
import { exactPercent, formatExactLatency, formatExactPercent, formatInteger, plural } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { CsvButton } from "@/ui/CsvButton";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { Unknown, Value } from "@/ui/Value";
import { curveOf } from "./seriesSelection";

type ExceedanceTableProps = { rows: readonly ExceedanceRow[]; percentiles: Percentiles | null; runId: string };

const CSV_KEYS = [
  ...(["operation", "clock", "threshold_ns", "over_count_lower", "over_count", "total_count", "misses"] as const),
  ...(["ratio", "ratio_lower", "ratio_upper", "limit_ratio", "confidence"] as const),
];

export function ExceedanceTable({ rows, percentiles, runId }: ExceedanceTableProps) {
  const titleId = useId();
  if (rows.length === 0) return null;
  const missesOf = (row: ExceedanceRow): number | null => curveOf(percentiles, row)?.miss_count ?? null;
  // Rows without a limit and without operations over the threshold are folded.
  const isEmpty = (row: ExceedanceRow): boolean => row.over_count === 0 && row.limit_ratio === null;
  const folded = rows.every(isEmpty) ? [] : rows.filter(isEmpty);
  const shown = rows.filter((row) => !folded.includes(row));

  const save = () => {
    const cells = rows.map((row) => CSV_KEYS.map((key) => (key === "misses" ? missesOf(row) : row[key])));
    saveCsv(`share-over-thresholds-${runId.slice(-8)}.csv`, { header: CSV_KEYS, rows: cells });
  };

  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className="wrap between">
        <div>
          <h2 id={titleId}>Share over each threshold</h2>
          <p className="dim">Of the whole run. Errors, timeouts and unfinished operations count as over.</p>
        </div>
        <CsvButton onSave={save} />
      </div>
      <ShareTable rows={shown} missesOf={missesOf} />
      {folded.length === 0 ? null : (
        <details className="fold" style={{ marginTop: 12 }}>
          <summary>{plural(folded.length, "row")} without a single operation over</summary>
          <ShareTable rows={folded} missesOf={missesOf} />
        </details>
      )}
    </section>
  );
}

const NO_COUNT = "the file does not state how many operations there were";

type ShareTableProps = { rows: readonly ExceedanceRow[]; missesOf: (row: ExceedanceRow) => number | null };

function ShareTable({ rows, missesOf }: ShareTableProps) {
  const columns: Columns<ExceedanceRow> = [
    { header: "Operation", accessorFn: ({ operation }) => operationName(operation), meta: { onPhone: "wide" } },
    { header: "Clock", accessorFn: ({ clock }) => clockName(clock) },
    { header: "Over", accessorFn: ({ threshold_ns }) => formatExactLatency(threshold_ns), meta: RIGHT },
    { header: "In this run", accessorFn: (row) => <Share row={row} />, meta: { ...RIGHT, onPhone: "lead" } },
    {
      header: `Next run, ${formatExactPercent(rows[0]?.confidence ?? 0.95)} confidence`,
      accessorFn: ({ total_count: total, ratio_lower: lower, ratio_upper: upper, limit_ratio: limit }) =>
        lower === null || upper === null ? (
          <Unknown reason="no operation was counted" />
        ) : total === 0 ? (
          <Unknown reason={NO_COUNT} />
        ) : (
          shareText(lower, upper, { limit })
        ),
      meta: { ...RIGHT, onPhone: "hidden" },
    },
    {
      header: "Limit",
      accessorFn: ({ limit_ratio: limit }) =>
        limit === null ? <Unknown reason="no budget limits this" /> : formatExactPercent(limit),
      meta: RIGHT,
    },
    {
      header: "Count",
      accessorFn: (row) =>
        row.total_count === 0 && row.ratio_lower !== null ? (
          <Unknown reason={NO_COUNT} />
        ) : (
          `${countText(row)} of ${formatInteger(row.total_count)}`
        ),
      meta: { ...RIGHT, onPhone: "hidden" },
    },
    {
      header: "Misses",
      accessorFn: (row) => {
        const misses = missesOf(row);
        return misses === null ? <Unknown reason="not yet rolled up" /> : formatInteger(misses);
      },
      meta: { ...RIGHT, onPhone: "hidden" },
    },
  ];
  return <DataTable label="Shares, as a table" plain="cards" columns={columns} rows={rows} />;
}

/** Returns the number of operations over a threshold, with both bounds where a bucket lies across it. */
const countText = ({ over_count: most, over_count_lower: least }: ExceedanceRow): string =>
  least === most ? formatInteger(most) : `${formatInteger(least)}–${formatInteger(most)}`;

function Share({ row }: { row: ExceedanceRow }) {
  const { ratio, total_count: total, limit_ratio: limit } = row;
  if (ratio !== null) return <Value text={shareText(ratio, ratio, { limit })} exact={exactPercent(ratio)} />;
  // Of an unknown number of operations, the bounds of the share are those that the source states.
  const [lower, upper] =
    total === 0 ? [row.ratio_lower, row.ratio_upper] : [row.over_count_lower / total, row.over_count / total];
  if (lower === null || upper === null) return <Unknown reason="no operation of this kind was counted" />;
  return <Value text={shareText(lower, upper, { limit })} exact={`${exactPercent(lower)} to ${exactPercent(upper)}`} />;
}
