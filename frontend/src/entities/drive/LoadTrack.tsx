// Renders a drive's results on a logarithmic axis of loads: marks at tested loads, a line between passed loads, a tint
// above a failed load, hatching above the last tested load. Nothing is drawn below the first tested load.

import { VerdictMark } from "@/entities/verdict/VerdictBadge";
import type { VerdictWord } from "@/entities/verdict/words";
import classes from "./LoadTrack.module.css";
import { type CellState, loadText, type RatingLike, ratingSentence } from "./ratings";

type TrackCell = { readonly load: number; readonly state: CellState; readonly test_ids: readonly string[] };

/** Bounds of the load axis, shared by all tracks of a page. */
export type LoadAxis = { readonly from: number; readonly to: number };

/** Factor by which the axis extends beyond the loads, so that marks are not cut off. */
const MARGIN = 1.25;

export const loadAxis = (loads: readonly number[]): LoadAxis => ({
  from: Math.min(1, ...loads) / MARGIN,
  to: Math.max(10, ...loads) * MARGIN,
});

/** Returns the position of a load on the axis, from 0 to 1. */
export const placeOf = (load: number, { from, to }: LoadAxis): number => Math.log(load / from) / Math.log(to / from);

const TICKS = [1, 3, 10, 30, 100, 300, 1000] as const;

export const axisTicks = (axis: LoadAxis): number[] => TICKS.filter((tick) => tick >= axis.from && tick <= axis.to);

const percent = (place: number): string => `${(100 * Math.min(1, Math.max(0, place))).toFixed(2)}%`;

const VERDICTS: Partial<Record<CellState, VerdictWord>> = { passed: "PASS", failed: "FAIL" };

type LoadTrackProps = { cells: readonly TrackCell[]; rating: RatingLike; axis: LoadAxis };

export function LoadTrack({ cells, rating, axis }: LoadTrackProps) {
  const tested = cells.filter((cell) => cell.test_ids.length > 0);
  const passed = tested.filter((cell) => cell.state === "passed");
  const failed = tested.filter((cell) => cell.state === "failed");
  const [first, last] = [tested[0]?.load, tested.at(-1)?.load];
  const highest = rating.passed_load;
  const lowestPass = passed[0]?.load ?? highest;
  const lowestFail = rating.failed_load ?? failed[0]?.load ?? null;
  const span = (from: number, to: number) => ({
    left: percent(placeOf(from, axis)),
    width: percent(placeOf(to, axis) - placeOf(from, axis)),
  });
  return (
    <div className={classes["track"]} role="img" aria-label={`${ratingSentence(rating)}.`}>
      {first === undefined || last === undefined || lowestFail !== null ? null : (
        <div className={classes["untested"]} style={span(last, axis.to)} />
      )}
      {highest === null || lowestPass === null || lowestPass === highest ? null : (
        <div className={classes["passed"]} style={span(lowestPass, highest)} />
      )}
      {lowestFail === null ? null : <div className={classes["above"]} style={span(lowestFail, axis.to)} />}
      {tested.map((cell) => (
        <span
          key={cell.load}
          className={classes["mark"]}
          data-state={cell.state}
          style={{ left: percent(placeOf(cell.load, axis)) }}
          title={`${loadText(cell.load)}: ${cell.state}`}
        >
          <VerdictMark of={{ verdict: VERDICTS[cell.state] ?? "INDETERMINATE" }} size={18} />
        </span>
      ))}
    </div>
  );
}
