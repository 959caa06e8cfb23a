// Columns of the grid from left to right: shortlist, drive, chosen columns, loads.
import { COLUMNS, type Column, type ColumnKey } from "./columns";

export type GridColumn =
  | { readonly kind: "pick"; readonly id: "pick"; readonly width: number }
  | { readonly kind: "drive"; readonly id: "drive"; readonly width: number }
  | {
      readonly kind: "load";
      readonly id: string;
      readonly width: number;
      readonly load: number;
      readonly index: number;
    }
  | { readonly kind: "value"; readonly id: Column["key"]; readonly width: number; readonly column: Column };

/** Explicit table roles: some browsers drop them from tables with another CSS layout. */
export const ROLE = {
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  rowheader: { role: "rowheader" },
  gridcell: { role: "gridcell" },
} as const;

const PICK_WIDTH = 40;
const DRIVE_WIDTH = 240;
const LOAD_WIDTH = 48;

export function gridColumns(chosen: readonly ColumnKey[], loads: readonly number[]): GridColumn[] {
  return [
    { kind: "pick", id: "pick", width: PICK_WIDTH },
    { kind: "drive", id: "drive", width: DRIVE_WIDTH },
    ...chosen.flatMap((key): GridColumn[] => {
      if (key === "loads")
        return loads.map((load, index) => ({ kind: "load", id: `load ${load}`, width: LOAD_WIDTH, load, index }));
      const column = COLUMNS.find((candidate) => candidate.key === key);
      return column === undefined ? [] : [{ kind: "value", id: column.key, width: column.width, column }];
    }),
  ];
}
