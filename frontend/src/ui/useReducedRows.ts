// Reduced rendering during fast scrolling: drawing unreadable cells takes three quarters of a frame. New rows show their
// pinned cells alone until scrolling slows down; rows that were drawn completely stay complete.
import { useLayoutEffect, useRef } from "react";

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
