// State of a run's data: whether it may change, how far it got, and whether data are late.
import type { RunDetail } from "@/api/types";

/** Time without data after which the page warns, in milliseconds; ticks arrive every second. */
export const LATE_AFTER_MS = 5_000;
/** Age of the last data after which a finished run gets no more verdicts, in milliseconds; no stream is opened then. */
const SETTLED_AFTER_MS = 120_000;

export const isLive = (run: Pick<RunDetail, "state">): boolean => run.state !== "finished";

/** Returns whether the run may change: it is live, or finished with pending verdicts. */
export function mayChange(run: RunDetail, serverNowMs: number): boolean {
  if (isLive(run)) return true;
  const last = Date.parse(run.last_data_at ?? run.started_at);
  if (serverNowMs - last > SETTLED_AFTER_MS) return false;
  return run.verdicts.length === 0 || run.verdicts.some((verdict) => verdict.provisional);
}

/** Returns the number of intervals that the server has not received. */
export const missingCount = ({ missing }: RunDetail): number =>
  missing.reduce((sum, range) => sum + range.to_seq - range.from_seq + 1, 0);

/** Returns the measured time: stated by the agent at the end, until then derived from the latest data. */
export function elapsedOf(run: RunDetail, reachNs: number): number {
  return run.measured_duration_ns ?? Math.max(reachNs, run.data_through_ns);
}

/** Returns the milliseconds since the last data; `lastTickAgoMs`: age of this page's last tick, null without one. */
export function silenceMs(run: RunDetail, serverNowMs: number, lastTickAgoMs: number | null): number {
  const sinceStored = serverNowMs - Date.parse(run.last_data_at ?? run.started_at);
  return Math.max(0, lastTickAgoMs === null ? sinceStored : Math.min(lastTickAgoMs, sinceStored));
}
