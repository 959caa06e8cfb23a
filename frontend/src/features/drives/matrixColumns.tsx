// Columns of the matrix from left to right: shortlist, drive, chosen columns, loads.
import { type ColumnDef, createColumnHelper } from "@tanstack/react-table";
import type { LeaderboardRow } from "@/api/types";
import { signClass } from "@/entities/drive/CellSign";
import { commonLabel, type Measure } from "@/entities/drive/measure";
import { driveName, LOAD_MEANING, loadText, type RankLike, rowName } from "@/entities/drive/ratings";
import { sentence, UNKNOWN } from "@/lib/format";
import { IconWarning } from "@/ui/icons";
import { cellName } from "./cellWords";
import { COLUMNS, type Column } from "./columns";
import { DriveName } from "./DriveName";
import linkClasses from "./DriveName.module.css";
import classes from "./Matrix.module.css";
import type { RowsView } from "./shortlist";

type MatrixContext = Pick<RowsView, "rows" | "measure" | "mixed" | "onPick"> & {
  readonly loads: readonly number[];
  readonly chosen: readonly string[];
  readonly hrefOf: (slug: string) => string;
};
type MatrixColumn = ColumnDef<LeaderboardRow, never>;

const column = createColumnHelper<LeaderboardRow>();

/** Shortlist and drive, which stay in view at the left. */
export const PINNED = { left: ["pick", "drive"] };

export function matrixColumns({ rows, loads, chosen, measure, mixed, hrefOf, onPick }: MatrixContext): MatrixColumn[] {
  return [
    column.display({
      id: "pick",
      size: 40,
      header: () => <span className="visually-hidden">Shortlist</span>,
      cell: ({ row }) => (
        <input
          type="checkbox"
          className="check"
          tabIndex={-1}
          checked={row.getIsSelected()}
          disabled={!row.getCanSelect()}
          onChange={() => onPick(row.id)}
          aria-label={`Put ${rowName(row.original)} on the shortlist`}
        />
      ),
    }),
    column.accessor((row) => driveName(row.drive), {
      id: "drive",
      size: 240,
      sortDescFirst: false,
      header: "Drive",
      meta: {
        isRowHeader: true,
        title: "Drive: with its capacity",
        className: classes["drive"],
        cell: () => ({ "data-lines": mixed ? 3 : 2 }),
      },
      // A router link costs more time than the rest of the row.
      cell: ({ row: { original: row } }) => (
        <DriveName row={row} mixed={mixed}>
          <a href={hrefOf(row.drive.slug)} className={linkClasses["link"]} title={driveName(row.drive)} tabIndex={-1}>
            {driveName(row.drive)}
          </a>
        </DriveName>
      ),
    }),
    ...chosen.flatMap((key): MatrixColumn[] =>
      key === "loads"
        ? loads.map(loadColumn(measure))
        : COLUMNS.filter((each) => each.key === key).map(valueColumn(measure, rows)),
    ),
  ];
}

const loadColumn = (measure: Measure) => (load: number, index: number) =>
  column.display({
    id: `load ${load}`,
    size: 48,
    header: loadText(load),
    meta: {
      title: `Load ${loadText(load)}. ${LOAD_MEANING}.`,
      className: classes["load"],
      cell: ({ cells }) => {
        const cell = cells[index];
        if (cell === undefined) return {};
        return {
          className: `${classes["load"]} ${signClass}`,
          "data-state": cell.state,
          // An attribute, because hidden text would be laid out and slow the matrix down.
          "aria-label": `${cellName(cell, measure)}${cell.disagree ? ", tests disagree" : ""}`,
        };
      },
    },
    cell: ({ row }) =>
      row.original.cells[index]?.disagree ? (
        <span style={{ position: "absolute", top: 4, right: 4, color: "var(--unsure-fill)" }}>
          <IconWarning size={10} />
        </span>
      ) : null,
  });

const valueColumn =
  (measure: Measure, rows: readonly LeaderboardRow[]) =>
  ({ key, label, name = label, meaning, width, right, sort, show }: Column): MatrixColumn =>
    column.accessor((row) => show(row, measure.limits), {
      id: key,
      size: width,
      enableSorting: sort !== undefined,
      sortDescFirst: sort === "descending",
      header: (key === "exceedance" ? commonLabel(measure, rows) : null) ?? label,
      meta: {
        align: right ? "right" : undefined,
        title: `${name}: ${meaning}`,
        cell: (row) => {
          const shown = show(row, measure.limits);
          return {
            "data-lines": key === "rank" && row.rank !== null ? 2 : undefined,
            ...("unknown" in shown
              ? { title: shown.unknown, "aria-label": `unknown: ${shown.unknown}` }
              : { title: shown.exact ?? shown.text }),
          };
        },
      },
      cell: ({ row: { original: row } }) => {
        const shown = show(row, measure.limits);
        return (
          <>
            {"unknown" in shown ? UNKNOWN : shown.text}
            {key === "rank" && row.rank !== null ? <RankBar rank={row.rank} /> : null}
            {key === "rating" && row.rating.violations.length > 0 ? <Violations row={row} /> : null}
          </>
        );
      },
    }) as MatrixColumn;

/** Marks a row whose tests contradict each other: a higher load had better results than a lower load. */
function Violations({ row }: { row: LeaderboardRow }) {
  const text = row.rating.violations.map(sentence).join(". ");
  return (
    <span style={{ marginLeft: 6, color: "var(--unsure-fill)", verticalAlign: -2 }} title={text}>
      <IconWarning size={13} />
      <span className="visually-hidden">Tests contradict each other: {text}</span>
    </span>
  );
}

const WIDTH = 40;

function RankBar({ rank: { best, worst, among } }: { rank: RankLike }) {
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
