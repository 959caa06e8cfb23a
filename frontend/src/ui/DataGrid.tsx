// Renders the many rows of a TanStack table as a grid: only rows near the visible ones are in the document, the arrow
// keys move between cells, and header and pinned columns stay in view. Browser search and print miss the other rows.
import type { Cell, Header, Row, RowData, Table } from "@tanstack/react-table";
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type DOMAttributes, memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./DataGrid.module.css";
import { ARIA_SORT, ROLES, renderTemplate } from "./DataTable";
import { type GridPosition, nextPosition } from "./gridKeys";
import { IconDown, IconSort, IconUp } from "./icons";

const HEADER_HEIGHT = 40;
/** Distance from the last row at which the next page is fetched, in rows. */
const ROWS_AHEAD = 40;
const SORT_ICONS = { asc: IconUp, desc: IconDown };

type DataGridProps<Data extends RowData> = DOMAttributes<HTMLTableElement> & {
  table: Table<Data>;
  label: string;
  /** Height of a row in pixels. */
  rowHeight: number;
  /** Number of rows on all pages. */
  total: number;
  /** Fetches the next page; null on the last. */
  onMore: (() => void) | null;
  /** Called when the pointer leaves the scrolled region. */
  onLeave: () => void;
};

export function DataGrid<Data extends RowData>(props: DataGridProps<Data>) {
  const { table, label, rowHeight, total, onMore, onLeave, onKeyDown, onFocus, children, ...handlers } = props;
  const region = useRef<HTMLDivElement>(null);
  const { rows } = table.getRowModel();
  const columns = table.getVisibleLeafColumns();
  const [active, setActive] = useState<GridPosition>({ row: 0, column: 1 });
  const wantsFocus = useRef(false);
  const at = { row: Math.min(active.row, rows.length - 1), column: Math.min(active.column, columns.length - 1) };

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => rowHeight,
    scrollPaddingStart: HEADER_HEIGHT,
    overscan: 8,
    getItemKey: (index) => rows[index]?.id ?? index,
    // The row with the keyboard focus stays rendered, so that scrolling does not lose the focus.
    rangeExtractor: (range: Range) => {
      const near = defaultRangeExtractor(range);
      if (at.row < 0 || at.row >= range.count || near.includes(at.row)) return near;
      return [...near, at.row].sort((a, b) => a - b);
    },
    useFlushSync: false,
    initialRect: { width: 1200, height: 900 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the height changes
  useEffect(() => virtual.measure(), [rowHeight]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1);
  const isReduced = useReducedRows(
    virtual,
    items.map(({ index }) => index),
    rowHeight,
    at.row,
  );
  const isNearEnd = (last?.index ?? 0) >= rows.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd) onMore?.();
  }, [isNearEnd, onMore]);

  // A new order or question scrolls the grid to its top.
  const firstId = rows[0]?.id;
  const { sorting } = table.getState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs when the first row or the order changes
  useEffect(() => {
    region.current?.scrollTo({ top: 0 });
  }, [firstId, sorting]);

  // One cell is in the tab order. It may be rendered only after scrolling to its row, so every render looks for it.
  useLayoutEffect(() => {
    const cell = region.current?.querySelector<HTMLElement>(`[data-row="${at.row}"][data-column="${at.column}"]`);
    if (cell == null) return;
    const target = cell.querySelector<HTMLElement>("a, button, input:enabled") ?? cell;
    target.tabIndex = 0;
    if (wantsFocus.current) {
      wantsFocus.current = false;
      target.focus({ preventScroll: true });
      cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    return () => {
      target.tabIndex = -1;
    };
  });

  return (
    <div
      ref={region}
      className={`card ${classes["region"]}`}
      style={{ scrollPadding: `${HEADER_HEIGHT}px 8px 8px ${table.getLeftTotalSize()}px` }}
      onPointerLeave={onLeave}
    >
      {children}
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with keyboard navigation is a grid
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        className={`small num ${classes["grid"]}`}
        style={
          {
            minWidth: table.getTotalSize(),
            // Each row lays out its own cells, so that a changed row moves no other.
            "--columns": columns
              .map(({ columnDef: { meta }, getSize }) =>
                meta?.isRowHeader ? `minmax(${getSize()}px, 1fr)` : `${getSize()}px`,
              )
              .join(" "),
            "--row-height": `${rowHeight}px`,
            "--head-height": `${HEADER_HEIGHT}px`,
          } as CSSProperties
        }
        onKeyDown={(event) => {
          const from = positionOf(event.target);
          if (from === null) return;
          const page = Math.max(1, Math.floor(((region.current?.clientHeight ?? 0) - HEADER_HEIGHT) / rowHeight) - 1);
          const next = nextPosition(from, event, { rows: rows.length, columns: columns.length, page });
          if (next === null) return onKeyDown?.(event);
          event.preventDefault();
          wantsFocus.current = true;
          setActive(next);
          if (next.row >= 0) virtual.scrollToIndex(next.row, { align: "auto" });
        }}
        onFocus={(event) => {
          setActive((before) => positionOf(event.target) ?? before);
          onFocus?.(event);
        }}
        {...handlers}
      >
        <thead {...ROLES.rowgroup}>
          {table.getHeaderGroups().map(({ id, headers }) => (
            <tr key={id} {...ROLES.row} aria-rowindex={1}>
              {headers.map((header, index) => (
                <HeaderCell key={header.id} header={header as Header<unknown, unknown>} index={index} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody {...ROLES.rowgroup}>
          {items.map(({ index, key, start }, position) => {
            const row = rows[index];
            return row === undefined
              ? null
              : [
                  <Gap key={`gap ${index}`} height={start - (items[position - 1]?.end ?? 0)} />,
                  <GridRow
                    key={key}
                    row={row as Row<unknown>}
                    cells={row.getVisibleCells() as Cell<unknown, unknown>[]}
                    index={index}
                    isSelected={row.getIsSelected()}
                    canSelect={row.getCanSelect()}
                    isReduced={isReduced(index)}
                  />,
                ];
          })}
          <Gap height={virtual.getTotalSize() - (last?.end ?? 0)} />
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

function HeaderCell({ header, index }: { header: Header<unknown, unknown>; index: number }) {
  const { column } = header;
  const { align, className, title } = column.columnDef.meta ?? {};
  const content = renderTemplate(column.columnDef.header, header.getContext());
  const order = column.getIsSorted();
  const SortIcon = order === false ? IconSort : SORT_ICONS[order];
  return (
    <th
      {...ROLES.columnheader}
      scope="col"
      data-row={-1}
      data-column={index}
      data-align={align}
      data-pinned={column.getIsPinned() || undefined}
      className={className}
      style={column.getIsPinned() ? { left: column.getStart("left") } : undefined}
      title={title}
      tabIndex={-1}
      aria-sort={column.getCanSort() ? (order === false ? "none" : ARIA_SORT[order]) : undefined}
    >
      {column.getCanSort() ? (
        <button
          type="button"
          tabIndex={-1}
          className={`plain-button icon-text ${classes["sort"]}`}
          onClick={column.getToggleSortingHandler()}
        >
          {content}
          <SortIcon size={11} />
        </button>
      ) : (
        content
      )}
    </th>
  );
}

type GridRowProps = {
  row: Row<unknown>;
  cells: readonly Cell<unknown, unknown>[];
  index: number;
  isSelected: boolean;
  /** Cells depend on it: a changed value renders the row again. */
  canSelect: boolean;
  /** Whether to render the pinned cells alone, during fast scrolling. */
  isReduced: boolean;
};

const GridRow = memo(function GridRow({ row, cells, index, isSelected, isReduced }: GridRowProps) {
  const shown = isReduced ? cells.filter(({ column }) => column.getIsPinned()) : cells;
  return (
    <tr {...ROLES.row} aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      {shown.map(({ id, column, getContext }, at) => {
        const { align, className, isRowHeader, cell } = column.columnDef.meta ?? {};
        const Tag = isRowHeader ? "th" : "td";
        return (
          <Tag
            key={id}
            {...(isRowHeader ? ROLES.rowheader : ROLES.gridcell)}
            scope={isRowHeader ? "row" : undefined}
            data-row={index}
            data-column={at}
            data-align={align}
            data-pinned={column.getIsPinned() || undefined}
            className={className}
            style={column.getIsPinned() ? { left: column.getStart("left") } : undefined}
            tabIndex={-1}
            {...cell?.(row.original)}
          >
            {renderTemplate(column.columnDef.cell, getContext())}
          </Tag>
        );
      })}
    </tr>
  );
});

const cellElement = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-row][data-column]") : null;

function positionOf(target: EventTarget): GridPosition | null {
  const { row, column } = cellElement(target)?.dataset ?? {};
  return row === undefined || column === undefined ? null : { row: Number(row), column: Number(column) };
}

/** Returns element, row and column of the cell of an event; null in the header and outside of cells. */
export function cellAt<Data extends RowData>(table: Table<Data>, target: EventTarget) {
  const element = cellElement(target);
  const position = positionOf(target);
  const row = table.getRowModel().rows[position?.row ?? -1];
  const column = table.getVisibleLeafColumns()[position?.column ?? -1];
  return element === null || row === undefined || column === undefined ? null : { element, row, column };
}

/** Rows per frame above which scrolling is fast. */
const FAST_ROWS = 3;

/** Returns whether a row is reduced; `shown`: indexes of the rendered rows; `always`: row with the keyboard focus. */
export function useReducedRows(
  { isScrolling, scrollOffset }: { readonly isScrolling: boolean; readonly scrollOffset: number | null },
  shown: readonly number[],
  rowHeight: number,
  always: number,
): (index: number) => boolean {
  const offset = scrollOffset ?? 0;
  const before = useRef({ offset, isFast: false });
  const wholeRows = useRef<ReadonlySet<number>>(new Set());
  const distance = Math.abs(offset - before.current.offset);
  // A render without movement, as caused by a pointer over the table, does not end fast scrolling.
  const isFast = isScrolling && (distance === 0 ? before.current.isFast : distance > FAST_ROWS * rowHeight);
  const isReduced = (index: number): boolean => isFast && index !== always && !wholeRows.current.has(index);
  useLayoutEffect(() => {
    const drawn = new Set(shown.filter((index) => !isReduced(index)));
    before.current = { offset, isFast };
    wholeRows.current = drawn;
  });
  return isReduced;
}
