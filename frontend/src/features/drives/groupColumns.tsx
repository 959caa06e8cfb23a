// Columns of the groups of drives: rating first, then cost, endurance and source of the tests.
import { createColumnHelper } from "@tanstack/react-table";
import type { LeaderboardRow } from "@/api/types";
import { costKey, costParts } from "@/entities/drive/cost";
import { COUNTERS, counterOfRow, NO_COUNTER } from "@/entities/drive/counters";
import { axisTicks, type LoadAxis, LoadTrack, placeOf } from "@/entities/drive/LoadTrack";
import type { Measure } from "@/entities/drive/measure";
import {
  beyondText,
  decidingRange,
  driveName,
  formatCapacity,
  LOAD_MEANING,
  loadText,
  rowName,
  standingText,
  testedByText,
  testLengthText,
  testYearText,
  triesText,
} from "@/entities/drive/ratings";
import { formatExactLatency, formatExactPercent, joinParts } from "@/lib/format";
import { Unknown } from "@/ui/Value";
import classes from "./Groups.module.css";
import { SlowReads } from "./SlowReads";
import { pickOf } from "./shortlist";

export type RowContext = {
  readonly axis: LoadAxis;
  readonly measure: Measure;
  readonly picks: readonly string[];
  readonly isFull: boolean;
  /** Toggles a row of the shortlist; null if nothing can be picked. */
  readonly onPick: ((pick: string) => void) | null;
  readonly onCompare: () => void;
  readonly hrefOf: (slug: string) => string;
};

const column = createColumnHelper<LeaderboardRow>();
const PRICE_MEANING = "The price is that of my price list, else the newest that a document states";
const UNKNOWN_FACT = "no source in the catalogue states it";

/** Returns the columns that have a value in some row. */
export function groupColumns(rows: readonly LeaderboardRow[], context: RowContext) {
  const { axis, measure, picks, isFull, onPick, onCompare, hrefOf } = context;
  const hasFirmware = rows.some((row) => row.firmwares.length > 0);
  const threshold = rows.map((row) => decidingRange(row)?.threshold_ns).find((each) => each !== undefined);
  const limit = measure.limits.find((each) => each.threshold_ns === threshold);
  const shareHead =
    threshold === undefined
      ? "Slow reads"
      : `${measure.of === "transactions" ? "Late" : `Over ${formatExactLatency(threshold)}`}${limit === undefined ? "" : `, limit ${formatExactPercent(limit.limit_ratio)}`}`;
  return [
    ...(onPick === null
      ? []
      : [
          column.display({
            id: "pick",
            meta: { width: 36, className: "no-print", onPhone: "pick" },
            header: () => <span className="visually-hidden">Shortlist</span>,
            cell: ({ row: { original: row } }) => {
              const isPicked = picks.includes(pickOf(row));
              return (
                <input
                  type="checkbox"
                  className="check"
                  checked={isPicked}
                  disabled={isFull && !isPicked}
                  onChange={() => onPick(pickOf(row))}
                  aria-label={`Put ${rowName(row)} on the shortlist`}
                />
              );
            },
          }),
        ]),
    column.accessor((row) => rowName(row).toLowerCase(), {
      id: "drive",
      sortDescFirst: false,
      meta: { isRowHeader: true, width: "18%" },
      header: "Drive",
      cell: ({ row: { original: row } }) => (
        <span>
          <a className="plain-link strong" href={hrefOf(row.drive.slug)} data-slug={row.drive.slug}>
            {driveName(row.drive)}
          </a>{" "}
          <span className={`muted nowrap ${classes["beside"]}`}>
            {joinParts([
              row.capacity_bytes === null ? "" : formatCapacity(row.capacity_bytes),
              row.visibility === "private" ? "private" : "",
              ...row.marks,
            ])}
          </span>
          {picks.length > 1 && picks.at(-1) === pickOf(row) ? (
            <button type="button" className="link-button block no-print" onClick={onCompare}>
              Compare these {picks.length}
            </button>
          ) : null}
        </span>
      ),
    }),
    column.display({
      id: "loads",
      meta: { title: LOAD_MEANING, onPhone: "wide" },
      header: () => (
        <>
          <span className="visually-hidden">Loads</span>
          <span className={`axis-labels ${classes["ticks"]}`} aria-hidden="true">
            {axisTicks(axis).map((tick) => (
              <span key={tick} style={{ left: `${100 * placeOf(tick, axis)}%` }}>
                {loadText(tick)}
              </span>
            ))}
          </span>
        </>
      ),
      cell: ({ row: { original: row } }) => <LoadTrack cells={row.cells} rating={row.rating} axis={axis} />,
    }),
    column.accessor((row) => row.rating.passed_load ?? undefined, {
      id: "holds",
      meta: { width: 76, align: "right", onPhone: "lead", title: `The highest load passed. ${LOAD_MEANING}` },
      header: "Holds",
      cell: ({ getValue }) => {
        const load = getValue();
        return load === undefined ? "—" : <strong>{loadText(load)}</strong>;
      },
    }),
    column.accessor((row) => row.rating.failed_load ?? undefined, {
      id: "fails",
      sortDescFirst: false,
      meta: { width: 96 },
      header: "Fails at",
      cell: ({ row: { original: row } }) => <span className={`nowrap ${classes["whole"]}`}>{beyondText(row)}</span>,
    }),
    column.accessor((row) => decidingRange(row)?.upper_ratio, {
      id: "late",
      sortDescFirst: false,
      meta: { width: 200, align: "right" },
      header: shareHead,
      cell: ({ row: { original: row } }) => {
        const range = decidingRange(row);
        return range === null || range.threshold_ns !== threshold ? "—" : <SlowReads range={range} limit={limit} />;
      },
    }),
    column.accessor((row) => costKey(row.price, row.price_per_thousand_transactions ?? row.price_per_ktps), {
      id: "cost",
      sortDescFirst: false,
      sortingFn: "basic",
      meta: {
        width: 112,
        align: "right",
        title: `Price of 1,000 transactions or operations a second, at the highest load that it holds. ${PRICE_MEANING}`,
      },
      header: "For 1,000/s",
      cell: ({ row: { original: row } }) => <CostCell row={row} />,
    }),
    column.accessor((row) => row.dwpd ?? undefined, {
      id: "dwpd",
      meta: { width: 64, align: "right", onPhone: "hidden", title: "Rated drive writes per day" },
      header: "DWPD",
      cell: ({ getValue }) => getValue() ?? <Unknown reason={UNKNOWN_FACT} />,
    }),
    // Drive counters are known for few rows; columns without any value are left out.
    ...COUNTERS.filter(({ figure }) => rows.some((row) => counterOfRow(row, figure) !== null)).map(
      ({ figure, column: id, label, name, meaning }) =>
        column.accessor((row) => row.counters?.figures.find(({ key }) => key === figure)?.lower ?? undefined, {
          id,
          meta: { width: 116, align: "right", label: name, title: `${name}: ${meaning}` },
          header: label,
          cell: ({ row: { original: row } }) => {
            const shown = counterOfRow(row, figure);
            return shown === null ? <Unknown reason={NO_COUNTER} /> : <span title={shown.exact}>{shown.text}</span>;
          },
        }),
    ),
    column.accessor((row) => row.tested_year ?? row.published_year ?? undefined, {
      id: "year",
      meta: { width: 80, align: "right", label: "Tested" },
      header: "Year",
      cell: ({ row: { original: row } }) => testYearText(row),
    }),
    column.accessor((row) => testedByText(row), {
      id: "by",
      sortDescFirst: false,
      meta: { width: 100, onPhone: "hidden" },
      header: "Tested by",
      cell: ({ row: { original: row } }) => (
        <span title={standingText(row.standing)}>
          {testedByText(row)}
          {row.standing.standing === "self-reported" ? null : <strong> · {row.standing.standing}</strong>}
          {triesText(row.standing) === null ? null : <span className="dim"> · {triesText(row.standing)}</span>}
        </span>
      ),
    }),
    column.accessor((row) => row.longest_test_ns ?? undefined, {
      id: "length",
      meta: { width: 72, align: "right", onPhone: "hidden" },
      header: "Length",
      cell: ({ row: { original: row } }) => testLengthText(row),
    }),
    ...(hasFirmware
      ? [
          column.accessor((row) => row.firmwares.join(", ") || undefined, {
            id: "firmware",
            sortDescFirst: false,
            meta: { width: 96 },
            header: "Firmware",
            cell: ({ getValue }) => getValue() ?? <Unknown reason="no source states the firmware" />,
          }),
        ]
      : []),
  ];
}

/** Returns the columns of a group: cost only if a price is known; endurance if known, or if cost is missing. */
export function columnsFor(rows: readonly LeaderboardRow[], columns: ReturnType<typeof groupColumns>) {
  const hasPrice = rows.some((row) => row.price !== null);
  const hasEndurance = rows.some((row) => row.dwpd !== null);
  return columns.filter(({ id }) => (id === "cost" ? hasPrice : id !== "dwpd" || hasEndurance || !hasPrice));
}

function CostCell({ row }: { row: LeaderboardRow }) {
  const cost = costParts(row);
  if (cost === null) return <Unknown reason="no document states its price, and my price list has none" />;
  return (
    <span title={`${cost.price}, ${cost.meaning}`}>
      {cost.cost ?? "—"}
      {cost.age === null ? null : <span className="dim"> {cost.age}</span>}
    </span>
  );
}
