// A table of rows by TanStack Table: columns are data, headers sort, and on a phone each row is a card. A plain one stands inside a page
// and scrolls in a region of its own.
import {
  type ColumnDef,
  type ColumnDefTemplate,
  getCoreRowModel,
  getSortedRowModel,
  type OnChangeFn,
  type RowData,
  type SortingState,
  type Row as TableRow,
  useReactTable,
} from "@tanstack/react-table";
import type { HTMLAttributes, ReactNode, Ref, TdHTMLAttributes } from "react";
import classes from "./DataTable.module.css";
import { IconDown } from "./icons";
import { ScrollRegion } from "./ScrollRegion";

declare module "@tanstack/react-table" {
  // The names of the parameters are those of the library.
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Numbers are right-aligned. */
    readonly align?: "right";
    /** The cell names its row. */
    readonly isRowHeader?: true;
    /** Where the header is no text, or is shorter than it can be. */
    readonly title?: string;
    readonly width?: number | string;
    readonly className?: string | undefined;
    /** What the cell is on a phone: left out, beside the name of the row, a line of its own, or beside its header. */
    readonly onPhone?: "hidden" | "lead" | "wide" | "labelled";
    readonly label?: string;
    /** The cell of the first row spans the rows of its group. */
    readonly spansGroup?: true;
    readonly cell?: (row: TData) => TdHTMLAttributes<HTMLTableCellElement> & DataAttributes;
  }
}

type DataAttributes = { [data: `data-${string}`]: unknown };
type RowAttributes = HTMLAttributes<HTMLTableRowElement> &
  DataAttributes & { ref?: Ref<HTMLTableRowElement> | undefined };

/** Columns whose values are what their cells show. */
export type Columns<Row extends RowData> = ColumnDef<Row, ReactNode>[];

/** The head of a column of buttons. */
export const ACTIONS = { id: "actions", header: () => <span className="visually-hidden">What to do with it</span> };
/** Figures. */
export const RIGHT = { align: "right" } as const;
/** What a row is about. */
export const ROW_HEADER = { isRowHeader: true } as const;

type DataTableProps<Row extends RowData> = {
  label: string;
  columns: ColumnDef<Row, never>[] | Columns<Row>;
  rows: readonly Row[];
  rowId: (row: Row, index: number) => string;
  rowAttributes?: (row: Row) => RowAttributes;
  /** Rows of one name that follow one another are a group. */
  groupOf?: (row: Row) => string;
  /** A line across the table above the group that begins with the row. */
  headingOf?: (row: Row) => ReactNode;
  sorting?: SortingState;
  onSorting?: OnChangeFn<SortingState>;
  /** The rows come in their order. */
  isSortedByServer?: boolean;
  /** In a region that scrolls; on a phone "cards" shows each cell beside its head. */
  plain?: boolean | "cards";
  maxHeight?: number;
  className?: string | undefined;
};

/** Rows that are laid out as cards lose the meaning of a table in some browsers. */
const ROLES = Object.fromEntries(
  ["table", "rowgroup", "row", "columnheader", "rowheader", "cell"].map((role) => [role, { role }]),
) as Record<"table" | "rowgroup" | "row" | "columnheader" | "rowheader" | "cell", { role: string }>;

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;
const NO_SORTING: SortingState = [];
/** Calls the accessor at each render: `getValue` caches by row, and a cell may depend on more than its row. */
const SHOWN_AS_IT_IS: Partial<ColumnDef<unknown>> = {
  cell: ({ row, column }) => column.accessorFn?.(row.original, row.index) as ReactNode,
};

/** Called and not mounted as a component: new columns keep the elements, and with them the focus. */
const drawn = <Context extends object>(
  template: ColumnDefTemplate<Context> | undefined,
  context: Context,
): ReactNode => (typeof template === "function" ? template(context) : template);

/** Without groups all rows are one. */
function groupsOf<Row extends RowData>(
  rows: readonly TableRow<Row>[],
  groupOf: ((row: Row) => string) | undefined,
): TableRow<Row>[][] {
  if (groupOf === undefined) return [[...rows]];
  const groups: TableRow<Row>[][] = [];
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined || groupOf(before.original) !== groupOf(row.original)) groups.push([]);
    groups.at(-1)?.push(row);
  }
  return groups;
}

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
    defaultColumn: SHOWN_AS_IT_IS as Partial<ColumnDef<Row>>,
    state: { sorting },
    enableSorting: onSorting !== undefined,
    sortDescFirst: true,
    manualSorting: isSortedByServer,
    enableSortingRemoval: !isSortedByServer,
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    ...(onSorting === undefined ? {} : { onSortingChange: onSorting }),
  });
  const look = plain === false ? classes["table"] : plain === "cards" ? `data ${classes["cards"]}` : "data";
  const content = (
    <table className={`${look} ${ownClass}`.trim()} {...ROLES.table} aria-label={label}>
      <thead {...ROLES.rowgroup}>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} {...ROLES.row}>
            {group.headers.map(({ id, column, getContext }) => {
              const { align, title, width, className } = column.columnDef.meta ?? {};
              const order = column.getIsSorted();
              const content = drawn(column.columnDef.header, getContext());
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
                    <button type="button" className={classes["sort"]} onClick={column.getToggleSortingHandler()}>
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
      {groupsOf(table.getRowModel().rows, groupOf).map((group) => (
        <tbody key={group[0]?.id ?? "none"} {...ROLES.rowgroup}>
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
                const content = drawn(cell.column.columnDef.cell, cell.getContext());
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
