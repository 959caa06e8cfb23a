// Matrix row of a drive under one set of conditions.
import { Link } from "@tanstack/react-router";
import { memo, type ReactNode } from "react";
import type { LeaderboardCell, LeaderboardRow } from "@/api/types";
import { signClass } from "@/entities/drive/CellSign";
import { driveName, ratingText, rowName } from "@/entities/drive/ratings";
import { UNKNOWN } from "@/lib/format";
import { sentence } from "@/lib/words";
import { IconLock, IconWarning } from "@/ui/icons";
import { cellName, rowConditions } from "./cellWords";
import { type GridColumn, ROLE } from "./gridColumns";
import classes from "./Matrix.module.css";
import type { Measure } from "./measure";
import { RankBar } from "./RankBar";
import { pickOf } from "./shortlist";

type MatrixRowProps = {
  row: LeaderboardRow;
  index: number;
  columns: readonly GridColumn[];
  /** Column with the keyboard focus; null if it is in another row. */
  active: number | null;
  picked: boolean;
  /** Whether the shortlist is full. */
  full: boolean;
  /** Whether rows of several conditions are shown, so that each names its own. */
  mixed: boolean;
  /** Whether to render name and rating alone, during fast scrolling. */
  brief: boolean;
  measure: Measure;
  /** Returns the address of a drive's page. */
  hrefOf: (slug: string) => string;
  onPick: (pick: string) => void;
};

export const MatrixRow = memo(function MatrixRow(props: MatrixRowProps) {
  const { row, index, columns, active } = props;
  if (props.brief)
    return (
      <tr {...ROLE.row} aria-rowindex={index + 2}>
        <td {...ROLE.gridcell} className={classes["pick"]} />
        <th {...ROLE.rowheader} scope="row" className={classes["drive"]}>
          {driveName(row.drive)}
        </th>
        <td {...ROLE.gridcell} className={classes["brief"]}>
          {ratingText(row.rating)}
        </td>
      </tr>
    );
  return (
    <tr
      {...ROLE.row}
      aria-rowindex={index + 2}
      data-picked={props.picked || undefined}
      data-private={row.visibility === "private" || undefined}
    >
      {columns.map((column, at) => (
        <Cell key={column.id} column={column} at={at} {...props} tabIndex={active === at ? 0 : -1} />
      ))}
    </tr>
  );
});

type CellProps = Omit<MatrixRowProps, "brief"> & { column: GridColumn; at: number; tabIndex: number };

function Cell({ column, at, row, index, tabIndex, picked, full, mixed, measure, hrefOf, onPick }: CellProps) {
  const place = { "data-row": index, "data-column": at };
  switch (column.kind) {
    case "pick":
      return (
        <td {...ROLE.gridcell} className={classes["pick"]} {...place}>
          <input
            type="checkbox"
            className={classes["check"]}
            data-focus
            tabIndex={tabIndex}
            checked={picked}
            disabled={full && !picked}
            onChange={() => onPick(pickOf(row))}
            aria-label={`Put ${rowName(row)} on the shortlist`}
          />
        </td>
      );
    case "drive":
      return (
        <th {...ROLE.rowheader} scope="row" className={classes["drive"]} {...place}>
          <DriveName row={row} mixed={mixed}>
            <a
              href={hrefOf(row.drive.slug)}
              className={classes["link"]}
              title={driveName(row.drive)}
              data-focus
              tabIndex={tabIndex}
            >
              {driveName(row.drive)}
            </a>
          </DriveName>
        </th>
      );
    case "load": {
      const cell = row.cells[column.index];
      return (
        <td
          {...ROLE.gridcell}
          className={cell === undefined ? classes["load"] : `${classes["load"]} ${signClass}`}
          data-focus
          tabIndex={tabIndex}
          {...place}
          data-state={cell?.state}
          aria-label={cell === undefined ? undefined : loadName(cell, measure)}
        >
          {cell?.disagree === true ? <Disagree /> : null}
        </td>
      );
    }
    default: {
      const shown = column.column.show(row);
      const bar = column.id === "rank" && row.rank !== null ? <RankBar rank={row.rank} /> : null;
      const isUnknown = "unknown" in shown;
      return (
        <td
          {...ROLE.gridcell}
          className={column.column.right ? classes["right"] : classes["left"]}
          data-lines={bar === null ? undefined : 2}
          data-focus
          tabIndex={tabIndex}
          title={isUnknown ? shown.unknown : (shown.exact ?? shown.text)}
          aria-label={isUnknown ? `unknown: ${shown.unknown}` : undefined}
          {...place}
        >
          {isUnknown ? UNKNOWN : shown.text}
          {bar}
          {column.id === "rating" && row.rating.violations.length > 0 ? <Violations row={row} /> : null}
        </td>
      );
    }
  }
}

/** Returns the accessible name of a cell, as an attribute: hidden text would be laid out and slow the matrix down. */
const loadName = (cell: LeaderboardCell, measure: Measure): string =>
  `${cellName(cell, measure)}${cell.disagree ? ", tests disagree" : ""}`;

const Disagree = () => (
  <span className={classes["disagree"]}>
    <IconWarning size={10} />
  </span>
);

/** Marks a row whose tests contradict each other: a higher load had better results than a lower load. */
function Violations({ row }: { row: LeaderboardRow }) {
  const text = row.rating.violations.map(sentence).join(". ");
  return (
    <span className={classes["violations"]} title={text}>
      <IconWarning size={13} />
      <span className="visually-hidden">Tests contradict each other: {text}</span>
    </span>
  );
}

/** `children`: replacement for the router's link, which costs more time than the rest of the row. */
type DriveNameProps = { row: LeaderboardRow; mixed: boolean; children?: ReactNode };

/** Shows the drive's name, the conditions that distinguish its rows, and whether the row is private. */
export function DriveName({ row, mixed, children }: DriveNameProps) {
  const conditions = rowConditions(row, mixed);
  return (
    <div className={classes["name"]}>
      <div className={classes["nameLine"]}>
        {children ?? (
          <Link
            to="/drives/$slug"
            params={{ slug: row.drive.slug }}
            className={classes["link"]}
            title={driveName(row.drive)}
          >
            {driveName(row.drive)}
          </Link>
        )}
        {row.visibility === "private" ? (
          <span className={classes["private"]} title="Only your organisation sees this row.">
            <IconLock size={11} />
            private
          </span>
        ) : null}
      </div>
      <div className={classes["conditions"]} title={conditions}>
        {row.marks.map((mark) => (
          <span key={mark} className={classes["mark"]} data-mark={mark}>
            {mark}
          </span>
        ))}
        {conditions}
      </div>
    </div>
  );
}
