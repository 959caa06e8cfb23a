// Whether a run still moves, how far it got, and whether its data are late: decided here once, shown in several places.
import type { RunDetail } from "@/api/types";
import { type Nanoseconds, nanoseconds } from "@/lib/units";

/** Ticks come each second: this much silence is worth a warning. */
export const LATE_AFTER_MS = 5_000;
/** A finished run whose last data are this old gets no more verdicts: its stream is not opened. */
const SETTLED_AFTER_MS = 120_000;

export const isLive = (run: Pick<RunDetail, "state">): boolean => run.state !== "finished";

/** Whether anything about the run may still change: it is live, or finished with verdicts yet to come. */
export function mayChange(run: RunDetail, serverNowMs: number): boolean {
  if (isLive(run)) return true;
  const last = Date.parse(run.last_data_at ?? run.started_at);
  if (serverNowMs - last > SETTLED_AFTER_MS) return false;
  return run.verdicts.length === 0 || run.verdicts.some((verdict) => verdict.provisional);
}

/** How much of the plan is measured: by the agent's word at the end, by the reach of the data before. */
export function elapsedOf(run: RunDetail, reachNs: number): Nanoseconds {
  return nanoseconds(run.measured_duration_ns ?? Math.max(reachNs, run.data_through_ns));
}

/** Milliseconds since data last came; `lastTickAgoMs` when a tick came on this page. */
export function silenceMs(run: RunDetail, serverNowMs: number, lastTickAgoMs: number | null): number {
  const sinceStored = serverNowMs - Date.parse(run.last_data_at ?? run.started_at);
  return Math.max(0, lastTickAgoMs === null ? sinceStored : Math.min(lastTickAgoMs, sinceStored));
}
