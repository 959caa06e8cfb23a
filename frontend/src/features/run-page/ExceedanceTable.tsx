// Every operation, clock and threshold with its share over: the table behind the verdict on limits.
import { Button } from "@mantine/core";
import { useId } from "react";
import type { ExceedanceRow, Percentiles } from "@/api/types";
import { saveFile, toCsv } from "@/lib/csv";
import {
  exactPercent,
  formatExactLatency,
  formatExactPercent,
  formatInteger,
  formatPercentInterval,
} from "@/lib/format";
import { nanoseconds, ratio } from "@/lib/units";
import { clockName, operationName } from "@/lib/words";
import { IconDownload } from "@/ui/icons";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown, Value } from "@/ui/Value";
import classes from "./ExceedanceTable.module.css";

type ExceedanceTableProps = { rows: readonly ExceedanceRow[]; percentiles: Percentiles | null; runId: string };

export function ExceedanceTable({ rows, percentiles, runId }: ExceedanceTableProps) {
  const titleId = useId();
  if (rows.length === 0) return null;
  const missesOf = (row: ExceedanceRow): number | null =>
    percentiles?.curves.find((curve) => curve.operation === row.operation && curve.clock === row.clock)?.miss_count ??
    null;
  const confidence = rows[0]?.confidence ?? 0.95;

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
          <p className="dim">
            Of the whole run; each end holds with {formatExactPercent(ratio(confidence))} confidence. Errors, timeouts
            and unfinished operations count as over.
          </p>
        </div>
        <Button
          className="no-print"
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={save}
        >
          CSV
        </Button>
      </div>
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
                Share
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
    </section>
  );
}

function ShareRow({ row, misses }: { row: ExceedanceRow; misses: number | null }) {
  return (
    <tr>
      <td>{operationName(row.operation)}</td>
      <td>{clockName(row.clock)}</td>
      <td className="right">{formatExactLatency(nanoseconds(row.threshold_ns))}</td>
      <td className="right">
        {row.ratio === null || row.ratio_lower === null || row.ratio_upper === null ? (
          <Unknown reason="no operation of this kind was counted" />
        ) : (
          <Value
            text={formatPercentInterval(ratio(row.ratio_lower), ratio(row.ratio_upper))}
            exact={exactPercent(ratio(row.ratio))}
          />
        )}
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
