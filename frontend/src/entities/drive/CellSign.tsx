// One drive at one load, in shape, word and colour: tested, bounded and untested loads never look
// alike. The sign itself is drawn by the stylesheet, so that a table of thousands has one element for each.
import { CELL_WORDS, type CellState } from "@/entities/drive/ratings";
import classes from "./CellSign.module.css";

type CellSignProps = {
  state: CellState;
  /** The name of the cell has the word already. */
  silent?: boolean;
};

export function CellSign({ state, silent = false }: CellSignProps) {
  return (
    <span className={classes["sign"]} data-state={state}>
      {silent ? null : <span className="visually-hidden">{CELL_WORDS[state].word}</span>}
    </span>
  );
}

/** Of an element that is the sign by itself, such as a cell of a table with its state as `data-state`. */
export const signClass = classes["sign"] ?? "";
