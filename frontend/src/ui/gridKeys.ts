// Keyboard navigation by the ARIA patterns: of a slider, and of a grid, whose header is row -1.

export type GridPosition = { readonly row: number; readonly column: number };

type GridSize = { readonly rows: number; readonly columns: number; readonly page: number };

type KeyPress = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
};

const HEADER = -1;

/** Returns the position after a key press; null if the key does not move. */
export function nextPosition(from: GridPosition, press: KeyPress, { rows, columns, page }: GridSize) {
  if (press.altKey) return null;
  const toEdge = press.ctrlKey || press.metaKey;
  const at = (row: number, column: number): GridPosition => ({
    row: Math.min(rows - 1, Math.max(HEADER, row)),
    column: Math.min(columns - 1, Math.max(0, column)),
  });
  switch (press.key) {
    case "ArrowDown":
      return at(toEdge ? rows - 1 : from.row + 1, from.column);
    case "ArrowUp":
      return at(toEdge ? 0 : from.row - 1, from.column);
    case "ArrowRight":
      return at(from.row, toEdge ? columns - 1 : from.column + 1);
    case "ArrowLeft":
      return at(from.row, toEdge ? 0 : from.column - 1);
    case "Home":
      return at(toEdge ? 0 : from.row, 0);
    case "End":
      return at(toEdge ? rows - 1 : from.row, columns - 1);
    case "PageDown":
      return at(from.row + page, from.column);
    case "PageUp":
      return at(Math.max(0, from.row - page), from.column);
    default:
      return null;
  }
}

/** Returns the index after a key press on a slider of `count` positions; null if the key does not move, or without any. */
export function indexAfter(key: string, index: number, count: number): number | null {
  const page = Math.max(1, Math.round(count / 10));
  const to: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - page,
    PageUp: index + page,
    Home: 0,
    End: count - 1,
  };
  const next = to[key];
  return next === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, next));
}
