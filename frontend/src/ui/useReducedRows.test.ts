import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useReducedRows } from "./DataGrid";

const HEIGHT = 48;
const rowsFrom = (first: number): number[] => Array.from({ length: 10 }, (_, index) => first + index);

function opened() {
  const at = (offset: number, isScrolling = true) => ({
    scrolling: { isScrolling, scrollOffset: offset },
    rows: rowsFrom(Math.floor(offset / HEIGHT)),
  });
  const { result, rerender } = renderHook(
    ({ scrolling, rows }) => {
      const isReduced = useReducedRows(scrolling, rows, HEIGHT, 5);
      return rows.filter(isReduced);
    },
    { initialProps: at(0, false) },
  );
  return {
    brief: () => result.current,
    move: (offset: number, isScrolling = true) => rerender(at(offset, isScrolling)),
  };
}

it("rows that are flung past are brief, those that were there stay whole", () => {
  const { brief, move } = opened();
  expect(brief()).toEqual([]);
  move(4 * HEIGHT);
  expect(brief()).toEqual([10, 11, 12, 13]);
  move(24 * HEIGHT);
  expect(brief()).toEqual(rowsFrom(24));
});

it("drawn again at the same place they stay brief, and slower or at rest all are whole", () => {
  const { brief, move } = opened();
  move(40 * HEIGHT);
  move(40 * HEIGHT);
  expect(brief()).toEqual(rowsFrom(40));
  move(41 * HEIGHT);
  expect(brief()).toEqual([]);
  move(90 * HEIGHT);
  move(90 * HEIGHT, false);
  expect(brief()).toEqual([]);
});

it("the row of the keyboard is always whole", () => {
  const { brief, move } = opened();
  move(60 * HEIGHT);
  move(5 * HEIGHT);
  expect(brief()).not.toContain(5);
  expect(brief()).toContain(6);
});
