// Keyboard navigation of a grid by the ARIA grid pattern; row -1 is the header.

export type Place = { readonly row: number; readonly column: number };

type Size = { readonly rows: number; readonly columns: number; readonly page: number };

type Press = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };

const HEADER = -1;

/** Returns the place after a key press; null if the key does not move. */
export function moved(from: Place, press: Press, { rows, columns, page }: Size): Place | null {
  if (press.altKey) return null;
  const toEdge = press.ctrlKey || press.metaKey;
  const at = (row: number, column: number): Place => ({
    row: Math.min(rows - 1, Math.max(HEADER, row)),
    column: Math.min(columns - 1, Math.max(0, column)),
  });
  switch (press.key) {
    case "ArrowDown":
      return toEdge ? at(rows - 1, from.column) : at(from.row + 1, from.column);
    case "ArrowUp":
      return toEdge ? at(0, from.column) : at(from.row - 1, from.column);
    case "ArrowRight":
      return toEdge ? at(from.row, columns - 1) : at(from.row, from.column + 1);
    case "ArrowLeft":
      return toEdge ? at(from.row, 0) : at(from.row, from.column - 1);
    case "Home":
      return toEdge ? at(0, 0) : at(from.row, 0);
    case "End":
      return toEdge ? at(rows - 1, columns - 1) : at(from.row, columns - 1);
    case "PageDown":
      return at(from.row + page, from.column);
    case "PageUp":
      return at(Math.max(0, from.row - page), from.column);
    default:
      return null;
  }
}
