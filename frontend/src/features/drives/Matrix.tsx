// Matrix of drives and loads: a virtualised grid with keyboard navigation and a sticky header and first column. Hover
// and focus show the evidence of a cell. Only rows near the screen are rendered, so browser search and print miss the
// others; the page has its own search field and a table to download.

import { useNavigate } from "@tanstack/react-router";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { LeaderboardRow } from "@/api/types";
import { LOAD_MEANING, loadText } from "@/entities/drive/ratings";
import { IconDown, IconSort, IconUp } from "@/ui/icons";
import type { SortKey } from "./address";
import { CellCard, type Peek } from "./CellCard";
import type { ColumnKey } from "./columns";
import { nextSort, orderOf } from "./columns";
import { opensElsewhere, useDriveAddress } from "./driveAddress";
import { type GridColumn, gridColumns, ROLE } from "./gridColumns";
import { moved, type Place } from "./gridKeys";
import classes from "./Matrix.module.css";
import { MatrixRow } from "./MatrixRow";
import { commonLabel, type Measure } from "./measure";
import { pickOf } from "./shortlist";
import { useFling } from "./useFling";

const ROW_HEIGHT = 48;
/** Row height with conditions, which need a third line, in pixels. */
const MIXED_ROW_HEIGHT = 66;
const HEADER_HEIGHT = 40;
/** Distance from the last row at which the next page is fetched, in rows. */
const AHEAD = 40;

type MatrixProps = {
  rows: readonly LeaderboardRow[];
  /** Number of rows on all pages. */
  total: number;
  loads: readonly number[];
  measure: Measure;
  chosen: readonly ColumnKey[];
  sort: SortKey;
  picks: readonly string[];
  full: boolean;
  mixed: boolean;
  hasMore: boolean;
  onMore: () => void;
  onSort: (sort: SortKey) => void;
  onPick: (pick: string) => void;
};

export function Matrix(props: MatrixProps) {
  const { rows, total, loads, measure, chosen, sort, picks, full, mixed, hasMore, onMore, onSort, onPick } = props;
  const cardId = useId();
  const region = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const hrefOf = useDriveAddress();
  const columns = useMemo(() => gridColumns(chosen, loads), [chosen, loads]);
  const common = commonLabel(measure, rows);
  const [active, setActive] = useState<Place>({ row: 0, column: 1 });
  const [peek, setPeek] = useState<Peek | null>(null);
  const height = mixed ? MIXED_ROW_HEIGHT : ROW_HEIGHT;
  const wantsFocus = useRef(false);
  const picked = useMemo(() => new Set(picks), [picks]);
  const at: Place = { row: Math.min(active.row, rows.length - 1), column: Math.min(active.column, columns.length - 1) };

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => height,
    scrollPaddingStart: HEADER_HEIGHT,
    paddingStart: 0,
    overscan: 8,
    getItemKey: (index) => rows[index]?.row_id ?? index,
    // The row with the keyboard focus stays rendered, so that scrolling does not lose the focus.
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const seen = defaultRangeExtractor(range);
        if (at.row < 0 || at.row >= range.count || seen.includes(at.row)) return seen;
        return [...seen, at.row].sort((a, b) => a - b);
      },
      [at.row],
    ),
    useFlushSync: false,
    initialRect: { width: 1200, height: 900 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the height changes
  useEffect(() => virtual.measure(), [height]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const isBrief = useFling(
    virtual,
    items.map(({ index }) => index),
    height,
    at.row,
  );
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD) onMore();
  }, [hasMore, last, rows.length, onMore]);

  // A new order or question scrolls the grid to its top.
  const firstId = rows[0]?.row_id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the first row or the order changes
  useEffect(() => {
    region.current?.scrollTo({ top: 0 });
  }, [firstId, sort]);

  // The cell may be rendered only after scrolling to its row, so every render tries again until it exists.
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const cell = region.current?.querySelector<HTMLElement>(`[data-row="${at.row}"][data-column="${at.column}"]`);
    if (cell == null) return;
    wantsFocus.current = false;
    const target = cell.matches("[data-focus]") ? cell : (cell.querySelector<HTMLElement>("[data-focus]") ?? cell);
    target.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  const go = (place: Place) => {
    wantsFocus.current = true;
    setActive(place);
    if (place.row >= 0) virtual.scrollToIndex(place.row, { align: "auto" });
  };

  const open = (row: LeaderboardRow, column: GridColumn) => {
    const test = column.kind === "load" ? row.cells[column.index]?.test_ids[0] : undefined;
    void navigate({
      to: "/drives/$slug",
      params: { slug: row.drive.slug },
      search: test === undefined ? {} : { test },
    });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const from = placeOf(event.target);
    if (from === null) return;
    if (event.key === "Escape" && peek !== null) {
      setPeek(null);
      event.stopPropagation();
      return;
    }
    const visible = region.current?.clientHeight ?? 0;
    const page = Math.max(1, Math.floor((visible - HEADER_HEIGHT) / height) - 1);
    const next = moved(from, event, { rows: rows.length, columns: columns.length, page });
    if (next !== null) {
      event.preventDefault();
      go(next);
      return;
    }
    const column = columns[from.column];
    const row = rows[from.row];
    if (row === undefined || column === undefined) return;
    if (event.key === " " && column.kind !== "pick") {
      event.preventDefault();
      if (!full || picked.has(pickOf(row))) onPick(pickOf(row));
    } else if (event.key === "Enter" && column.kind !== "drive") {
      event.preventDefault();
      if (column.kind === "pick") onPick(pickOf(row));
      else open(row, column);
    }
  };

  const look = (event: SyntheticEvent, by: Peek["by"]) => {
    const target = cellOf(event.target);
    const column = target === null ? undefined : columns[target.place.column];
    const row = target === null ? undefined : rows[target.place.row];
    const cell = column?.kind === "load" && row !== undefined ? row.cells[column.index] : undefined;
    if (target === null || row === undefined || cell === undefined)
      setPeek((now) => (by === "pointer" && now?.by === "focus" ? now : null));
    else setPeek({ by, row, cell, ...placeIn(target.element) });
  };

  return (
    <div
      ref={region}
      className={classes["region"]}
      // A leaving pointer closes only the card that it opened; the card of the focused cell stays.
      onPointerLeave={() => setPeek((now) => (now?.by === "pointer" ? null : now))}
    >
      <CellCard id={cardId} peek={peek} measure={measure} />
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with keyboard navigation is a grid
        role="grid"
        aria-label="Drives by load"
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        className={classes["grid"]}
        data-mixed={mixed || undefined}
        style={gridStyle(columns, height)}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const place = placeOf(event.target);
          if (place !== null) setActive(place);
          look(event, "focus");
        }}
        onBlur={() => setPeek(null)}
        onPointerOver={(event) => {
          if (event.pointerType !== "touch") look(event, "pointer");
        }}
        onClick={(event) => {
          const target = cellOf(event.target);
          const column = target === null ? undefined : columns[target.place.column];
          const row = target === null ? undefined : rows[target.place.row];
          const link = event.target instanceof Element ? event.target.closest("a") : null;
          if (link !== null && row !== undefined && column !== undefined) {
            if (opensElsewhere(event)) return;
            event.preventDefault();
            open(row, column);
            return;
          }
          if (column?.kind !== "load" || row === undefined || target === null) return;
          if ((row.cells[column.index]?.test_ids.length ?? 0) > 0) open(row, column);
        }}
      >
        <thead {...ROLE.rowgroup}>
          <tr {...ROLE.row} aria-rowindex={1}>
            {columns.map((column, index) => (
              <Header
                key={column.id}
                column={column}
                index={index}
                sort={sort}
                common={common}
                active={at.row === -1 && at.column === index}
                onSort={onSort}
              />
            ))}
          </tr>
        </thead>
        <tbody {...ROLE.rowgroup}>
          {items.map((item, position) => {
            const row = rows[item.index];
            const gap = item.start - (items[position - 1]?.end ?? 0);
            if (row === undefined) return null;
            return [
              gap > 0 ? <Gap key={`gap ${item.index}`} height={gap} /> : null,
              <MatrixRow
                key={item.key}
                row={row}
                index={item.index}
                columns={columns}
                active={at.row === item.index ? at.column : null}
                picked={picked.has(pickOf(row))}
                full={full}
                mixed={mixed}
                brief={isBrief(item.index)}
                measure={measure}
                hrefOf={hrefOf}
                onPick={onPick}
              />,
            ];
          })}
          <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

/** Fills the height of rows that are not rendered; null without any. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
  return <tr aria-hidden="true" className={classes["gap"]} style={{ height }} />;
}

/** Returns the column widths as CSS variables: each row lays out its own cells, so a changed row moves no other. */
function gridStyle(columns: readonly GridColumn[], height: number): CSSProperties {
  const widths = columns.map(({ kind, width }) => (kind === "drive" ? `minmax(${width}px, 1fr)` : `${width}px`));
  return {
    minWidth: columns.reduce((sum, column) => sum + column.width, 0),
    "--columns": widths.join(" "),
    "--row-height": `${height}px`,
    "--head-height": `${HEADER_HEIGHT}px`,
  } as CSSProperties;
}

type HeaderProps = {
  /** Label of the column of shares at the common load; null without one. */
  common: string | null;
  column: GridColumn;
  index: number;
  sort: SortKey;
  active: boolean;
  onSort: (sort: SortKey) => void;
};

const DRIVE_HEADER = { sort: "drive", first: "ascending" } as const;

const Header = memo(function Header({ column, index, sort, common, active, onSort }: HeaderProps) {
  const place = { "data-row": -1, "data-column": index };
  const tabIndex = active ? 0 : -1;
  if (column.kind === "pick")
    return (
      <th {...ROLE.columnheader} scope="col" className={classes["pick"]} data-focus tabIndex={tabIndex} {...place}>
        <span className="visually-hidden">Shortlist</span>
      </th>
    );
  if (column.kind === "load")
    return (
      <th
        {...ROLE.columnheader}
        scope="col"
        className={classes["load"]}
        data-focus
        tabIndex={tabIndex}
        title={`Load ${loadText(column.load)}. ${LOAD_MEANING}.`}
        {...place}
      >
        {loadText(column.load)}
      </th>
    );
  const { label, name, meaning, right, ...order } =
    column.kind === "drive"
      ? { label: "Drive", name: "Drive", meaning: "with its capacity", right: false, ...DRIVE_HEADER }
      : column.id === "exceedance" && common !== null
        ? { ...column.column, label: common }
        : column.column;
  const next = nextSort(sort, order);
  const now = order.sort === null ? "none" : orderOf(sort, order.sort);
  const Sign = now === "ascending" ? IconUp : now === "descending" ? IconDown : IconSort;
  const className = [column.kind === "drive" ? classes["drive"] : "", right ? classes["right"] : ""].join(" ").trim();
  if (next === null)
    return (
      <th
        {...ROLE.columnheader}
        scope="col"
        className={className}
        data-focus
        tabIndex={tabIndex}
        title={`${name}: ${meaning}`}
        {...place}
      >
        {label}
      </th>
    );
  return (
    <th {...ROLE.columnheader} scope="col" className={className} aria-sort={now} {...place}>
      <button
        type="button"
        data-focus
        tabIndex={tabIndex}
        className={classes["sort"]}
        data-right={right || undefined}
        title={`${name}: ${meaning}`}
        onClick={() => onSort(next)}
      >
        {label}
        <Sign size={11} />
      </button>
    </th>
  );
});

function cellOf(target: EventTarget): { element: HTMLElement; place: Place } | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-row][data-column]") : null;
  if (element === null) return null;
  return {
    element,
    place: { row: Number(element.dataset["row"]), column: Number(element.dataset["column"]) },
  };
}

const placeOf = (target: EventTarget): Place | null => cellOf(target)?.place ?? null;

/** Returns position and size of a cell inside the scrolled region, in pixels. */
function placeIn(cell: HTMLElement): Pick<Peek, "left" | "top" | "width" | "height"> {
  const row = cell.parentElement;
  return {
    left: cell.offsetLeft,
    top: row?.offsetTop ?? 0,
    width: cell.offsetWidth,
    height: cell.offsetHeight,
  };
}
