// A part of a page that scrolls by itself. It can be focused, so that the keyboard can scroll it. A table of many columns may become
// cards on a phone instead: each row under its own head, each figure beside the head of its column.
import { type ReactNode, useLayoutEffect, useRef } from "react";
import classes from "./ScrollRegion.module.css";

type ScrollRegionProps = { label: string; maxHeight?: number; cards?: boolean; children: ReactNode };

export function ScrollRegion({ label, maxHeight, cards = false, children }: ScrollRegionProps) {
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (cards) region.current?.querySelectorAll("table").forEach(nameCells);
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      ref={region}
      role="group"
      className={classes["region"]}
      data-cards={cards || undefined}
      style={{ maxHeight }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus the keyboard cannot scroll it
      tabIndex={0}
      aria-label={label}
    >
      {children}
    </div>
  );
}

/** Gives each cell the head of its column, and what is laid out as cards the meaning that only a table has by itself. */
function nameCells(table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll("thead tr:first-of-type > *")].map((cell) => cell.textContent ?? "");
  table.setAttribute("role", "table");
  for (const part of table.querySelectorAll("thead, tbody")) part.setAttribute("role", "rowgroup");
  for (const row of table.querySelectorAll("tr")) {
    row.setAttribute("role", "row");
    const cells = [...row.children];
    // A head that spans several rows is missing in all but the first of them.
    const missing = Math.max(0, heads.length - cells.length);
    for (const [index, cell] of cells.entries()) {
      const isHead = cell.tagName === "TH";
      cell.setAttribute("role", !isHead ? "cell" : row.closest("thead") === null ? "rowheader" : "columnheader");
      if (!isHead) cell.setAttribute("data-head", heads[index + missing] ?? "");
    }
  }
}
