// Every operation, clock and threshold with its share over: the table behind the verdict on limits.
import { useMediaQuery } from "@mantine/hooks";
import { useId } from "react";
import type { ExceedanceRow, Percentiles } from "@/api/types";
import { clockName, operationName } from "@/entities/run/words";
import { saveFile, toCsv } from "@/lib/csv";
import { exactPercent, formatExactLatency, formatExactPercent, formatInteger } from "@/lib/format";
import { shareText } from "@/lib/shares";
import { nanoseconds, ratio } from "@/lib/units";
import { plural } from "@/lib/words";
import { CsvButton } from "@/ui/CsvButton";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown, Value } from "@/ui/Value";
import classes from "./ExceedanceTable.module.css";

type ExceedanceTableProps = { rows: readonly ExceedanceRow[]; percentiles: Percentiles | null; runId: string };

export function ExceedanceTable({ rows, percentiles, runId }: ExceedanceTableProps) {
  const titleId = useId();
  const narrow = useMediaQuery("(max-width: 800px)", false, { getInitialValueInEffect: false });
  if (rows.length === 0) return null;
  const missesOf = (row: ExceedanceRow): number | null =>
    percentiles?.curves.find((curve) => curve.operation === row.operation && curve.clock === row.clock)?.miss_count ??
    null;
  // What no budget asks about and nothing was over says least; a limit always shows.
  const isEmpty = (row: ExceedanceRow): boolean => row.over_count === 0 && row.limit_ratio === null;
  const folded = rows.every(isEmpty) ? [] : rows.filter(isEmpty);
  const shown = rows.filter((row) => !folded.includes(row));

  const save = () => {
    const header = [
      "operation",
      "clock",
      "threshold_ns",
      "over_count",
      "total_count",
      "misses",
      "ratio",
      "ratio_lower",
      "ratio_upper",
      "limit_ratio",
      "confidence",
    ];
    const cells = rows.map((row) => [
      row.operation,
      row.clock,
      row.threshold_ns,
      row.over_count,
      row.total_count,
      missesOf(row),
      row.ratio,
      row.ratio_lower,
      row.ratio_upper,
      row.limit_ratio,
      row.confidence,
    ]);
    saveFile(
      `share-over-thresholds-${runId.slice(-8)}.csv`,
      new Blob([toCsv(header, cells)], { type: "text/csv;charset=utf-8" }),
    );
  };

  return (
    <section className="panel" aria-labelledby={titleId}>
      <div className={classes["head"]}>
        <div>
          <h2 id={titleId}>Share over each threshold</h2>
          <p className="dim">Of the whole run. Errors, timeouts and unfinished operations count as over.</p>
        </div>
        <CsvButton onSave={save} />
      </div>
      {narrow ? <ShareCards rows={shown} /> : <ShareTable rows={shown} missesOf={missesOf} />}
      {folded.length === 0 ? null : (
        <details className={classes["folded"]}>
          <summary>{plural(folded.length, "row")} without a single operation over</summary>
          {narrow ? <ShareCards rows={folded} /> : <ShareTable rows={folded} missesOf={missesOf} />}
        </details>
      )}
    </section>
  );
}

type MissesOf = (row: ExceedanceRow) => number | null;

function ShareTable({ rows, missesOf }: { rows: readonly ExceedanceRow[]; missesOf: MissesOf }) {
  return (
    <ScrollRegion label="Shares, as a table">
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">Clock</th>
            <th scope="col" className="right">
              Over
            </th>
            <th scope="col" className="right">
              In this run
            </th>
            <th scope="col" className="right">
              Next run, {formatExactPercent(ratio(rows[0]?.confidence ?? 0.95))} confidence
            </th>
            <th scope="col" className="right">
              Limit
            </th>
            <th scope="col" className="right">
              Count
            </th>
            <th scope="col" className="right">
              Misses
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ShareRow key={`${row.operation} ${row.clock} ${row.threshold_ns}`} row={row} misses={missesOf(row)} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Where a table has no room: the two columns that decide, share and limit. */
function ShareCards({ rows }: { rows: readonly ExceedanceRow[] }) {
  return (
    <ul className={classes["cards"]}>
      {rows.map((row) => (
        <li key={`${row.operation} ${row.clock} ${row.threshold_ns}`}>
          <span>
            {operationName(row.operation)} over {formatExactLatency(nanoseconds(row.threshold_ns))}
            <span className="dim"> · {clockName(row.clock)}</span>
          </span>
          <span className="num">
            <Share row={row} />
            {row.limit_ratio === null ? null : (
              <span className="dim"> of at most {formatExactPercent(ratio(row.limit_ratio))}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Share({ row }: { row: ExceedanceRow }) {
  if (row.ratio === null) return <Unknown reason="no operation of this kind was counted" />;
  return (
    <Value text={shareText(row.ratio, row.ratio, { limit: row.limit_ratio })} exact={exactPercent(ratio(row.ratio))} />
  );
}

function Next({ row }: { row: ExceedanceRow }) {
  if (row.ratio_lower === null || row.ratio_upper === null) return <Unknown reason="no operation was counted" />;
  return <>{shareText(row.ratio_lower, row.ratio_upper, { limit: row.limit_ratio })}</>;
}

function ShareRow({ row, misses }: { row: ExceedanceRow; misses: number | null }) {
  return (
    <tr>
      <td>{operationName(row.operation)}</td>
      <td>{clockName(row.clock)}</td>
      <td className="right">{formatExactLatency(nanoseconds(row.threshold_ns))}</td>
      <td className="right">
        <Share row={row} />
      </td>
      <td className="right">
        <Next row={row} />
      </td>
      <td className="right">
        {row.limit_ratio === null ? (
          <Unknown reason="no budget limits this" />
        ) : (
          formatExactPercent(ratio(row.limit_ratio))
        )}
      </td>
      <td className="right">
        {formatInteger(row.over_count)} of {formatInteger(row.total_count)}
      </td>
      <td className="right">{misses === null ? <Unknown reason="not yet rolled up" /> : formatInteger(misses)}</td>
    </tr>
  );
}
