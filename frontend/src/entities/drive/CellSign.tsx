// Renders the result of one drive at one load by shape, word and colour; tested, bounded and untested loads differ
// visibly. CSS draws the sign, so that large tables have one element per cell.
import { CELL_WORDS, type CellState } from "@/entities/drive/ratings";
import classes from "./CellSign.module.css";

type CellSignProps = {
  state: CellState;
  /** Leaves out the hidden word, if the cell's label already contains it. */
  silent?: boolean;
};

export function CellSign({ state, silent = false }: CellSignProps) {
  return (
    <span className={classes["sign"]} data-state={state}>
      {silent ? null : <span className="visually-hidden">{CELL_WORDS[state].word}</span>}
    </span>
  );
}

/** Class for an element that is the sign itself, such as a table cell with its state as `data-state`. */
export const signClass = classes["sign"] ?? "";
