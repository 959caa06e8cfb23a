// Renders a table with TanStack Table: columns are data, headers sort, and on phones each row becomes a card. A `plain`
// table is part of a page and scrolls in its own region.
import {
  type ColumnDef,
  type ColumnDefTemplate,
  getCoreRowModel,
  getSortedRowModel,
  type OnChangeFn,
  type RowData,
  type SortingState,
  useReactTable,
} from "@tanstack/react-table";
import type { HTMLAttributes, ReactNode, Ref, TdHTMLAttributes } from "react";
import { groupBy } from "@/lib/groupBy";
import classes from "./DataTable.module.css";
import { IconDown } from "./icons";
import { ScrollRegion } from "./ScrollRegion";

declare module "@tanstack/react-table" {
  // The parameter names must be the library's.
  interface ColumnMeta<TData extends RowData, TValue> {
    readonly align?: "right" | undefined;
    /** The cell is the header of its row. */
    readonly isRowHeader?: true;
    /** Tooltip of the header, if the header is no text or is abbreviated. */
    readonly title?: string;
    readonly width?: number | string;
    readonly className?: string | undefined;
    /** Cell layout on phones, by default beside its header: hidden, before or beside the row's name, or without header. */
    readonly onPhone?: "hidden" | "pick" | "lead" | "wide";
    readonly label?: string;
    /** The first row's cell spans all rows of the group. */
    readonly spansGroup?: true;
    readonly cell?: (row: TData) => TdHTMLAttributes<HTMLTableCellElement> & DataAttributes;
  }
}

type DataAttributes = { [data: `data-${string}`]: unknown };
type RowAttributes = HTMLAttributes<HTMLTableRowElement> &
  DataAttributes & { ref?: Ref<HTMLTableRowElement> | undefined };

/** Columns whose accessor returns the content of the cell. */
export type Columns<Row extends RowData> = ColumnDef<Row, ReactNode>[];

/** Header of a column of buttons, for assistive technology only. */
export const ACTIONS = { id: "actions", header: () => <span className="visually-hidden">What to do with it</span> };
/** Column option: right-aligned numbers. */
export const RIGHT = { align: "right" } as const;
/** Column option: names, which may have no blanks. */
export const NAME_CELL = { className: "name-cell" } as const;
/** Column option: the cell is the header of its row. */
export const ROW_HEADER = { isRowHeader: true } as const;

type DataTableProps<Row extends RowData> = {
  label: string;
  columns: ColumnDef<Row, never>[] | Columns<Row>;
  rows: readonly Row[];
  /** Identity of a row, or its field, for rows that come, go or hold state; by default its position. */
  rowId?: Extract<keyof Row, string> | ((row: Row) => string);
  rowAttributes?: (row: Row) => RowAttributes;
  /** Returns the group name of a row. Rows with the same name form a group. */
  groupOf?: (row: Row) => string;
  /** Returns a heading across the table, above the group that starts with the row. */
  headingOf?: (row: Row) => ReactNode;
  sorting?: SortingState;
  onSorting?: OnChangeFn<SortingState>;
  /** The rows are already sorted. */
  isSortedByServer?: boolean;
  /** Renders inside a scrolling region. "cards" shows each cell beside its header on phones. */
  plain?: boolean | "cards";
  maxHeight?: number;
  className?: string | undefined;
};

/** Explicit ARIA roles, since some browsers drop table semantics if rows are laid out as cards. */
export const ROLES = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  rowheader: { role: "rowheader" },
  cell: { role: "cell" },
  gridcell: { role: "gridcell" },
} as const;

export const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;
const NO_SORTING: SortingState = [];
const DEFAULT_COLUMN: Partial<ColumnDef<unknown>> = {
  sortUndefined: "last",
  // Calls the accessor at each render: `getValue` caches per row, but a cell may depend on other state.
  cell: ({ row, column }) => column.accessorFn?.(row.original, row.index) as ReactNode,
};

/** Calls the template instead of mounting it as a component: new columns then preserve elements and focus. */
export const renderTemplate = <Context extends object>(
  template: ColumnDefTemplate<Context> | undefined,
  context: Context,
): ReactNode => (typeof template === "function" ? template(context) : template);

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    rowId,
    rowAttributes,
    groupOf,
    headingOf,
    className: ownClass = "",
    sorting = NO_SORTING,
    onSorting,
    plain = false,
    isSortedByServer = false,
  } = props;
  const table = useReactTable<Row>({
    data: rows as Row[],
    columns: columns as ColumnDef<Row>[],
    defaultColumn: DEFAULT_COLUMN as Partial<ColumnDef<Row>>,
    state: { sorting },
    enableSorting: onSorting !== undefined,
    sortDescFirst: true,
    manualSorting: isSortedByServer,
    enableSortingRemoval: !isSortedByServer,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    ...(rowId && { getRowId: typeof rowId === "function" ? rowId : (row) => String(row[rowId]) }),
    ...(onSorting && { onSortingChange: onSorting }),
  });
  const { rows: shown } = table.getRowModel();
  const groups = groupOf === undefined ? [shown] : [...groupBy(shown, ({ original }) => groupOf(original)).values()];
  const look = `${plain === false ? classes["table"] : "data"} ${plain === true ? "" : classes["cards"]}`;
  const content = (
    <table className={`${look} ${ownClass}`} {...ROLES.table} aria-label={label}>
      <thead {...ROLES.rowgroup}>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} {...ROLES.row}>
            {group.headers.map(({ id, column, getContext }) => {
              const { align, title, width, className } = column.columnDef.meta ?? {};
              const order = column.getIsSorted();
              const content = renderTemplate(column.columnDef.header, getContext());
              return (
                <th
                  key={id}
                  scope="col"
                  {...ROLES.columnheader}
                  data-align={align}
                  className={className}
                  style={{ width }}
                  title={title}
                  aria-sort={order === false ? undefined : ARIA_SORT[order]}
                >
                  {column.getCanSort() ? (
                    <button
                      type="button"
                      className={`plain-button ${classes["sort"]}`}
                      onClick={column.getToggleSortingHandler()}
                    >
                      {content}
                      <span className={classes["arrow"]} data-order={order || undefined} aria-hidden="true">
                        <IconDown size={10} />
                      </span>
                    </button>
                  ) : (
                    content
                  )}
                </th>
              );
            })}
          </tr>
        ))}
      </thead>
      {groups.map((group) => (
        // A row that is inserted above all others must not replace the rows and take the focus from them.
        <tbody key={groupOf === undefined ? "rows" : group[0]?.id} {...ROLES.rowgroup}>
          {headingOf === undefined || group[0] === undefined ? null : (
            <tr {...ROLES.row} className={classes["heading"]}>
              <th scope="rowgroup" {...ROLES.rowheader} colSpan={columns.length}>
                {headingOf(group[0].original)}
              </th>
            </tr>
          )}
          {group.map((row, index) => (
            <tr key={row.id} {...ROLES.row} {...rowAttributes?.(row.original)}>
              {row.getVisibleCells().map((cell) => {
                const { header, meta = {} } = cell.column.columnDef;
                if (meta.spansGroup && index > 0) return null;
                const shared = {
                  rowSpan: meta.spansGroup ? group.length : undefined,
                  "data-align": meta.align,
                  "data-phone": meta.onPhone,
                  "data-head": meta.label ?? (typeof header === "string" ? header : undefined),
                  className: meta.className,
                  ...meta.cell?.(row.original),
                };
                const content = renderTemplate(cell.column.columnDef.cell, cell.getContext());
                return meta.isRowHeader ? (
                  <th key={cell.id} scope={meta.spansGroup ? "rowgroup" : "row"} {...ROLES.rowheader} {...shared}>
                    {content}
                  </th>
                ) : (
                  <td key={cell.id} {...ROLES.cell} {...shared}>
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
  if (plain === false) return content;
  return (
    <ScrollRegion label={label} {...(props.maxHeight === undefined ? {} : { maxHeight: props.maxHeight })}>
      {content}
    </ScrollRegion>
  );
}
