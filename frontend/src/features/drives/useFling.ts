// Rows that a fling brings past: their cells are unreadable, and drawing them takes three quarters of a frame. They have their name and
// rating alone until the table slows down; a row that was drawn whole stays whole.
import { useLayoutEffect, useRef } from "react";

/** Rows that go by between two frames. */
const FLUNG_ROWS = 3;

type Scrolling = { readonly isScrolling: boolean; readonly scrollOffset: number | null };

/** `shown`: indexes of the rows there are; `always`: the row with the keyboard focus. */
export function useFling(
  { isScrolling, scrollOffset }: Scrolling,
  shown: readonly number[],
  rowHeight: number,
  always: number,
): (index: number) => boolean {
  const offset = scrollOffset ?? 0;
  const before = useRef({ offset, isFlung: false });
  const wholeRows = useRef<ReadonlySet<number>>(new Set());
  const distance = Math.abs(offset - before.current.offset);
  // Drawn again at the same place, by a pointer that rests on the table, the fling continues.
  const isFlung = isScrolling && (distance === 0 ? before.current.isFlung : distance > FLUNG_ROWS * rowHeight);
  const isBrief = (index: number): boolean => isFlung && index !== always && !wholeRows.current.has(index);
  useLayoutEffect(() => {
    const drawn = new Set(shown.filter((index) => !isBrief(index)));
    before.current = { offset, isFlung };
    wholeRows.current = drawn;
  });
  return isBrief;
}
