// Matrix of drives and loads: a grid of many rows. Hover and focus show the evidence of a cell.

import { useNavigate } from "@tanstack/react-router";
import { functionalUpdate, getCoreRowModel, useReactTable } from "@tanstack/react-table";
import { type SyntheticEvent, useId, useMemo, useState } from "react";
import type { LeaderboardRow } from "@/api/types";
import { cellAt, DataGrid } from "@/ui/DataGrid";
import { type SortKey, sortingOf, sortKeyOf } from "./address";
import { CellCard, type CellDetails } from "./CellCard";
import { opensElsewhere, useDriveAddress } from "./driveAddress";
import { matrixColumns, PINNED } from "./matrixColumns";
import { pickOf, type RowsView } from "./shortlist";

const ROW_HEIGHT = 48;
/** Row height with conditions, which need a third line, in pixels. */
const MIXED_ROW_HEIGHT = 66;

type MatrixProps = RowsView & {
  /** Number of rows on all pages. */
  total: number;
  loads: readonly number[];
  chosen: readonly string[];
  sort: SortKey;
  /** Fetches the next page; null on the last. */
  onMore: (() => void) | null;
  onSort: (sort: SortKey) => void;
};

export function Matrix(props: MatrixProps) {
  const { rows, total, loads, measure, chosen, sort, picks, full, mixed, onMore, onSort, onPick } = props;
  const cardId = useId();
  const navigate = useNavigate();
  const hrefOf = useDriveAddress();
  const [peek, setPeek] = useState<CellDetails | null>(null);
  const columns = useMemo(
    () => matrixColumns({ rows, loads, chosen, measure, mixed, hrefOf, onPick }),
    [rows, loads, chosen, measure, mixed, hrefOf, onPick],
  );
  const sorting = useMemo(() => sortingOf(sort), [sort]);
  const table = useReactTable<LeaderboardRow>({
    data: rows as LeaderboardRow[],
    columns,
    getRowId: pickOf,
    getCoreRowModel: getCoreRowModel(),
    state: { sorting, columnPinning: PINNED, rowSelection: Object.fromEntries(picks.map((pick) => [pick, true])) },
    enableRowSelection: ({ id }) => !full || picks.includes(id),
    manualSorting: true,
    enableSortingRemoval: false,
    onSortingChange: (change) => {
      for (const order of functionalUpdate(change, sorting)) onSort(sortKeyOf(order));
    },
  });

  /** Returns the load of the cell of an event with its row; null elsewhere. */
  const loadAt = (target: EventTarget) => {
    const cell = cellAt(table, target);
    const load = cell?.row.original.cells[loads.findIndex((each) => cell.column.id === `load ${each}`)];
    return cell === null || load === undefined ? null : { element: cell.element, row: cell.row.original, load };
  };

  const open = (target: EventTarget) => {
    const test = loadAt(target)?.load.test_ids[0];
    const slug = cellAt(table, target)?.row.original.drive.slug;
    if (slug !== undefined)
      void navigate({ to: "/drives/$slug", params: { slug }, search: test === undefined ? {} : { test } });
  };

  const look = ({ target }: SyntheticEvent, by: CellDetails["by"]) => {
    const at = loadAt(target);
    if (at === null) setPeek((now) => (by === "pointer" && now?.by === "focus" ? now : null));
    else setPeek({ by, row: at.row, cell: at.load, ...placeIn(at.element) });
  };

  return (
    <DataGrid
      table={table}
      label="Drives by load"
      rowHeight={mixed ? MIXED_ROW_HEIGHT : ROW_HEIGHT}
      total={total}
      onMore={onMore}
      // A leaving pointer closes only the card that it opened; the card of the focused cell stays.
      onLeave={() => setPeek((now) => (now?.by === "pointer" ? null : now))}
      onKeyDown={(event) => {
        if (event.key === "Escape" && peek !== null) {
          setPeek(null);
          event.stopPropagation();
          return;
        }
        const cell = cellAt(table, event.target);
        if (cell === null) return;
        const isPick = cell.column.id === "pick";
        if (event.key === " " && !isPick) {
          event.preventDefault();
          if (cell.row.getCanSelect()) onPick(cell.row.id);
        } else if (event.key === "Enter" && cell.column.id !== "drive") {
          event.preventDefault();
          if (isPick) onPick(cell.row.id);
          else open(event.target);
        }
      }}
      onFocus={(event) => look(event, "focus")}
      onBlur={() => setPeek(null)}
      onPointerOver={(event) => {
        if (event.pointerType !== "touch") look(event, "pointer");
      }}
      onClick={(event) => {
        const isLink = event.target instanceof Element && event.target.closest("a") !== null;
        if (isLink ? opensElsewhere(event) : !loadAt(event.target)?.load.test_ids.length) return;
        event.preventDefault();
        open(event.target);
      }}
    >
      <CellCard id={cardId} peek={peek} measure={measure} />
    </DataGrid>
  );
}

/** Returns position and size of a cell inside the scrolled region, in pixels. */
function placeIn(cell: HTMLElement): Pick<CellDetails, "left" | "top" | "width" | "height"> {
  return {
    left: cell.offsetLeft,
    top: cell.parentElement?.offsetTop ?? 0,
    width: cell.offsetWidth,
    height: cell.offsetHeight,
  };
}
