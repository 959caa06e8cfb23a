import { describe, expect, it } from "vitest";
import { nextPosition } from "./gridKeys";

describe("keys", () => {
  const size = { rows: 100, columns: 10, page: 12 };
  const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

  it("walk the grid and stop at its edges; the header is above the first row", () => {
    expect(nextPosition({ row: 0, column: 0 }, press("ArrowDown"), size)).toEqual({ row: 1, column: 0 });
    expect(nextPosition({ row: 0, column: 0 }, press("ArrowUp"), size)).toEqual({ row: -1, column: 0 });
    expect(nextPosition({ row: -1, column: 0 }, press("ArrowUp"), size)).toEqual({ row: -1, column: 0 });
    expect(nextPosition({ row: 99, column: 9 }, press("ArrowRight"), size)).toEqual({ row: 99, column: 9 });
    expect(nextPosition({ row: 5, column: 5 }, press("Home"), size)).toEqual({ row: 5, column: 0 });
    expect(nextPosition({ row: 5, column: 5 }, press("End", { ctrlKey: true }), size)).toEqual({ row: 99, column: 9 });
    expect(nextPosition({ row: 95, column: 5 }, press("PageDown"), size)).toEqual({ row: 99, column: 5 });
    expect(nextPosition({ row: 5, column: 5 }, press("PageUp"), size)).toEqual({ row: 0, column: 5 });
  });

  it("of the browser stay the browser's", () => {
    expect(nextPosition({ row: 5, column: 5 }, press("ArrowLeft", { altKey: true }), size)).toBeNull();
    expect(nextPosition({ row: 5, column: 5 }, press("a"), size)).toBeNull();
    expect(nextPosition({ row: 5, column: 5 }, press("Tab"), size)).toBeNull();
  });
});
