// The course of a run in short words. What cannot be told keeps its reason, so that the page can name it once for all that
// share it.
import type { OperationCourse, ThresholdCourse } from "@/api/types";
import {
  formatClock,
  formatExactLatency,
  formatExactPercent,
  formatInteger,
  formatLatency,
  formatPercent,
  formatPercentInterval,
  formatRate,
  formatSpan,
} from "@/lib/format";
import { toFigures } from "@/lib/rounding";
import { nanoseconds, opsPerSecond, ratio } from "@/lib/units";
import { plural, sentence } from "@/lib/words";

/** What is said, or null with the reason why nothing can be. */
export type Said = { readonly text: string; readonly reason: null } | { readonly text: null; readonly reason: string };
export type Line = { readonly name: string; readonly said: Said };

const say = (text: string): Said => ({ text, reason: null });
const untold = (reason: string | null): Said => ({ text: null, reason: reason ?? "not known" });

/** `3 h 10 min` into the run; the start is the start. */
const at = (offsetNs: number): string => (offsetNs === 0 ? "the start" : formatSpan(nanoseconds(offsetNs)));

const percent = (value: number): string => formatPercent(ratio(value));

/** A quantity of a step or of a steady window by its name. */
function quantity(name: string, value: number): string {
  if (/latency/.test(name)) return formatLatency(nanoseconds(value));
  if (/throughput/.test(name)) return formatRate(opsPerSecond(value));
  return percent(value);
}

export function operationLines({ steady_state: steady, ramp, steps, reason }: OperationCourse): Line[] {
  const notSteady = (steady?.series ?? []).filter((series) => series.first_round === null).map((series) => series.name);
  return [
    {
      name: "Steady state",
      said:
        steady === null
          ? untold(reason)
          : steady.start_ns === null || steady.end_ns === null
            ? untold(
                [steady.reason, notSteady.length === 0 ? null : `not steady: ${notSteady.join(", ")}`]
                  .filter((part) => part !== null)
                  .join("; "),
              )
            : say(
                `from ${at(steady.start_ns)} to ${at(steady.end_ns)}, by ${plural(steady.rounds, "round")} of ${formatSpan(nanoseconds(steady.round_ns))}`,
              ),
    },
    {
      name: "Ramp",
      said:
        ramp === null || ramp.cut_ns === null
          ? untold(ramp?.reason ?? reason)
          : say(ramp.cut_ns === 0 ? "none found" : `the first ${formatSpan(nanoseconds(ramp.cut_ns))}`),
    },
    ...steps.map(
      (change): Line => ({
        name: sentence(change.quantity),
        said:
          change.reason !== null
            ? untold(change.reason)
            : say(
                change.steps.length === 0
                  ? "no change of level"
                  : change.steps
                      .map(
                        (step) =>
                          `at ${at(step.at_ns)} from ${quantity(change.quantity, step.before)} to ${quantity(change.quantity, step.after)}`,
                      )
                      .join("; "),
              ),
      }),
    ),
  ];
}

export const thresholdName = (course: ThresholdCourse): string =>
  `over ${formatExactLatency(nanoseconds(course.threshold_ns))}`;
export const limitName = (course: ThresholdCourse): string => `limit ${formatExactPercent(ratio(course.limit_ratio))}`;

export function thresholdLines(course: ThresholdCourse): Line[] {
  return [
    { name: "Levels", said: levels(course.levels) },
    { name: "Drift", said: drift(course.drift) },
    { name: "Late degradation", said: degradation(course.late_degradation) },
    { name: "Worst hour, from the start", said: worst(course.worst_aligned_hour) },
    { name: "Worst hour, anywhere", said: worst(course.worst_rolling_hour) },
    { name: "Hours within the limit", said: hours(course.compliance) },
    { name: "Error budget used", said: used(course.burn) },
    { name: "Fastest use", said: fastest(course.burn) },
    { name: "Alerts", said: alerts(course.burn) },
  ];
}

function levels({ levels: found, reason }: ThresholdCourse["levels"]): Said {
  if (reason !== null || found.length === 0) return untold(reason);
  const [first, ...later] = found;
  const from = first === undefined ? "" : percent(first.ratio);
  if (later.length === 0) return say(`one level, ${from}`);
  return say([from, ...later.map((level) => `${percent(level.ratio)} from ${at(level.start_ns)}`)].join(", then "));
}

function drift(found: ThresholdCourse["drift"]): Said {
  const { slope_per_hour: slope, slope_lower: lower, slope_upper: upper } = found;
  if (slope === null) return untold(found.reason);
  if (!found.is_shown) return say("no more than chance");
  const sign = slope > 0 ? "+" : "−";
  const range =
    lower === null || upper === null ? "" : ` (${toFigures(lower, "down", 2)} to ${toFigures(upper, "up", 2)})`;
  return say(`${sign}${toFigures(Math.abs(slope), "nearest", 2)} points per hour${range}`);
}

function degradation(found: ThresholdCourse["late_degradation"]): Said {
  if (found.is_degraded === null) return untold(found.reason);
  if (!found.is_degraded) return say("none");
  const from = found.before === null ? "" : percent(found.before.ratio);
  const to = found.after === null ? "" : percent(found.after.ratio);
  const parts = [
    `${from} to ${to}${found.changed_ns === null ? "" : ` from ${at(found.changed_ns)}`}`,
    found.lasts ? "to the end" : "later better again",
    found.recovery_ns === null ? null : `comes and goes every ${formatSpan(nanoseconds(found.recovery_ns))}`,
    found.hours_until_failing === null
      ? "the limit held"
      : `the limit broke after ${plural(found.hours_until_failing, "full hour")}`,
  ];
  return say(parts.filter((part) => part !== null).join("; "));
}

function worst(found: ThresholdCourse["worst_aligned_hour"]): Said {
  const { worst_lower: lower, worst_upper: upper, start_ns: start } = found;
  if (lower == null || upper == null) return untold(found.reason ?? null);
  return say(`${formatPercentInterval(ratio(lower), ratio(upper))}${start == null ? "" : `, from ${at(start)}`}`);
}

function hours(found: ThresholdCourse["compliance"]): Said {
  if (found.kept_ratio === null) return untold(found.reason);
  const kept = Math.round(found.kept_ratio * found.hours);
  const parts = [
    `${formatInteger(kept)} of ${formatInteger(found.hours)}`,
    found.first_violation_ns === null ? null : `the first broken from ${at(found.first_violation_ns)}`,
    found.longest_violation_hours === null || found.longest_violation_hours < 2
      ? null
      : `up to ${formatInteger(found.longest_violation_hours)} in a row`,
  ];
  return say(parts.filter((part) => part !== null).join("; "));
}

function used(found: ThresholdCourse["burn"]): Said {
  if (found.rate === null) return untold(found.reason);
  const spent = found.rate > 1 ? `${toFigures(found.rate * 100)}\u00a0%` : percent(found.rate);
  return say(found.exhausted_ns === null ? spent : `${spent}, all of it by ${at(found.exhausted_ns)}`);
}

/** The fastest of all windows long enough to mean something. */
function fastest(found: ThresholdCourse["burn"]): Said {
  const told = found.fastest.filter((rate) => rate.rate !== null && !rate.is_greyed);
  const [top] = [...told].sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
  if (top === undefined || top.rate === null) {
    const greyed = found.fastest.some((rate) => rate.is_greyed);
    return untold(
      greyed
        ? "fewer than 10 over the threshold were to be expected in any window"
        : (found.fastest[0]?.reason ?? found.reason),
    );
  }
  const start = top.start_ns === null ? "" : `, from ${at(top.start_ns)}`;
  return say(`${toFigures(top.rate)}\u00a0× over ${formatSpan(nanoseconds(top.length_ns))}${start}`);
}

function alerts(found: ThresholdCourse["burn"]): Said {
  const fired = found.alerts.filter((alert) => alert.fired_ns !== null);
  if (fired.length > 0) {
    return say(
      fired
        .map(
          (alert) =>
            `${alert.severity} at ${alert.rate}\u00a0× over ${formatSpan(nanoseconds(alert.long_ns))}, at ${formatClock(nanoseconds(alert.fired_ns ?? 0))}`,
        )
        .join("; "),
    );
  }
  const told = found.alerts.filter((alert) => alert.reason === null);
  if (told.length === 0) return untold(found.alerts[0]?.reason ?? found.reason);
  return say(told.length === found.alerts.length ? "none" : `none of those that fit into the run (${told.length})`);
}

/** What cannot be told, each reason once with all it concerns, in the order of first mention. */
export function untoldReasons(lines: readonly Line[]): { reason: string; names: string[] }[] {
  const found = new Map<string, string[]>();
  for (const { name, said } of lines) {
    if (said.reason === null) continue;
    const names = found.get(said.reason) ?? [];
    if (!names.includes(name)) names.push(name);
    found.set(said.reason, names);
  }
  return [...found].map(([reason, names]) => ({ reason, names }));
}
