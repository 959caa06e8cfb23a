// Legend of the matrix signs.

import { CellSign } from "@/entities/drive/CellSign";
import { CELL_STATES, CELL_WORDS } from "@/entities/drive/ratings";

export function Legend() {
  return (
    <ul className="plain-list wrap smaller" aria-label="Legend">
      {CELL_STATES.map((state) => (
        <li key={state} className="icon-text">
          <CellSign state={state} silent />
          <span>
            {CELL_WORDS[state].word} <span className="dim">{CELL_WORDS[state].meaning}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
