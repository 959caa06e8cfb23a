// Legend of the matrix signs.
import { CellSign } from "@/entities/drive/CellSign";
import { LoadTrack, loadAxis } from "@/entities/drive/LoadTrack";
import { CELL_STATES, CELL_WORDS, type CellState } from "@/entities/drive/ratings";

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

const AXIS = loadAxis([1, 10]);
const cell = (load: number, state: CellState) => ({ load, state, test_ids: ["legend"] });
const rating = (passed: number | null, failed: number | null) => ({
  passed_load: passed,
  failed_load: failed,
  never_tested_above: failed === null,
});

const ENTRIES = [
  { text: "held in its test, not tested above", cells: [cell(4, "passed")], rated: rating(4, null) },
  {
    text: "held, then failed in its test",
    cells: [cell(1, "passed"), cell(3, "passed"), cell(6, "failed")],
    rated: rating(3, 6),
  },
  { text: "undecided", cells: [cell(4, "undecided")], rated: rating(null, null) },
] as const;

export function TrackLegend() {
  return (
    <ul className="muted small plain-list wrap" aria-label="Legend">
      {ENTRIES.map(({ text, cells, rated }) => (
        <li key={text} className="icon-text">
          <span aria-hidden="true" style={{ width: 96 }}>
            <LoadTrack cells={cells} rating={rated} axis={AXIS} />
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}
