// A table of rows by TanStack Table: columns are data, headers sort, and on a phone each row is a card.
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
import type { HTMLAttributes, ReactNode, Ref } from "react";
import classes from "./DataTable.module.css";
import { IconDown } from "./icons";

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
    /** What the cell is on a phone: left out, beside the name of the row, a line of its own, or beside its header. */
    readonly onPhone?: "hidden" | "lead" | "wide" | "labelled";
    readonly label?: string;
  }
}

type RowAttributes = HTMLAttributes<HTMLTableRowElement> & {
  ref?: Ref<HTMLTableRowElement> | undefined;
  [data: `data-${string}`]: unknown;
};

type DataTableProps<Row extends RowData> = {
  label: string;
  columns: ColumnDef<Row, never>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  rowAttributes?: (row: Row) => RowAttributes;
  sorting?: SortingState;
  onSorting?: OnChangeFn<SortingState>;
};

/** Rows that are laid out as cards lose the meaning of a table in some browsers. */
const ROLES = Object.fromEntries(
  ["table", "rowgroup", "row", "columnheader", "rowheader", "cell"].map((role) => [role, { role }]),
) as Record<"table" | "rowgroup" | "row" | "columnheader" | "rowheader" | "cell", { role: string }>;

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;
const NO_SORTING: SortingState = [];

/** Called and not mounted as a component: new columns keep the elements, and with them the focus. */
const drawn = <Context extends object>(
  template: ColumnDefTemplate<Context> | undefined,
  context: Context,
): ReactNode => (typeof template === "function" ? template(context) : template);

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, rowAttributes, sorting = NO_SORTING, onSorting } = props;
  const table = useReactTable<Row>({
    data: rows as Row[],
    columns: columns as ColumnDef<Row>[],
    state: { sorting },
    enableSorting: onSorting !== undefined,
    sortDescFirst: true,
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    ...(onSorting === undefined ? {} : { onSortingChange: onSorting }),
  });
  return (
    <table className={classes["table"]} {...ROLES.table} aria-label={label}>
      <thead {...ROLES.rowgroup}>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} {...ROLES.row}>
            {group.headers.map(({ id, column, getContext }) => {
              const { align, title, width } = column.columnDef.meta ?? {};
              const order = column.getIsSorted();
              const content = drawn(column.columnDef.header, getContext());
              return (
                <th
                  key={id}
                  scope="col"
                  {...ROLES.columnheader}
                  data-align={align}
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
      <tbody {...ROLES.rowgroup}>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} {...ROLES.row} {...rowAttributes?.(row.original)}>
            {row.getVisibleCells().map((cell) => {
              const { align, isRowHeader, onPhone, label: head } = cell.column.columnDef.meta ?? {};
              const content = drawn(cell.column.columnDef.cell, cell.getContext());
              const shared = { "data-align": align, "data-phone": onPhone, "data-head": head };
              return isRowHeader ? (
                <th key={cell.id} scope="row" {...ROLES.rowheader} {...shared}>
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
    </table>
  );
}
