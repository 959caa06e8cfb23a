// One drive at one load, in shape, word and colour: what was tested, what is only bounded and what was never tested never look
// alike.
import type { ReactNode } from "react";
import { CELL_WORDS, type CellState } from "@/entities/drive/ratings";
import { IconAbout, IconCheck, IconCross, IconDot, IconQuestion } from "@/ui/icons";
import classes from "./CellSign.module.css";

const SIGNS: Record<CellState, (size: number) => ReactNode> = {
  passed: (size) => <IconCheck size={size} />,
  failed: (size) => <IconCross size={size} />,
  undecided: (size) => <IconQuestion size={size} />,
  bounded: (size) => <IconAbout size={size} />,
  untested: (size) => <IconDot size={size} />,
};

type CellSignProps = {
  state: CellState;
  /** The word is said elsewhere, by the name of the cell. */
  silent?: boolean;
  size?: number;
};

export function CellSign({ state, silent = false, size = 13 }: CellSignProps) {
  return (
    <span className={classes["sign"]} data-state={state}>
      {SIGNS[state](size)}
      {silent ? null : <span className="visually-hidden">{CELL_WORDS[state].word}</span>}
    </span>
  );
}
