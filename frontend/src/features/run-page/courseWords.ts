// Text for a run's behaviour over time. Items that were not assessed carry a reason, which the page prints once.
import type { OperationCourse, ThresholdCourse } from "@/api/types";
import { type Assessment, assessed, type Line, notAssessed } from "@/entities/run/words";
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
  plural,
  sentence,
} from "@/lib/format";
import { toFigures } from "@/lib/rounding";

/** Returns an offset from the start of the run: `3 h 10 min`, or `the start`. */
const at = (offsetNs: number): string => (offsetNs === 0 ? "the start" : formatSpan(offsetNs));

/** Returns a value as text, by the name of its quantity: latency, throughput, otherwise share. */
function quantity(name: string, value: number): string {
  if (/latency/.test(name)) return formatLatency(value);
  if (/throughput/.test(name)) return formatRate(value);
  return formatPercent(value);
}

const assessedParts = (parts: readonly (string | null)[]): Assessment =>
  assessed(parts.filter((part) => part !== null).join("; "));

export function operationLines({ steady_state: steady, ramp, steps, reason }: OperationCourse): Line[] {
  const notSteady = (steady?.series ?? []).filter((series) => series.first_round === null).map((series) => series.name);
  return [
    {
      name: "Steady state",
      value:
        steady === null
          ? notAssessed(reason)
          : steady.start_ns === null || steady.end_ns === null
            ? notAssessed(
                [steady.reason, notSteady.length === 0 ? null : `not steady: ${notSteady.join(", ")}`]
                  .filter((part) => part !== null)
                  .join("; "),
              )
            : assessed(
                `from ${at(steady.start_ns)} to ${at(steady.end_ns)}, by ${plural(steady.rounds, "round")} of ${formatSpan(steady.round_ns)}`,
              ),
    },
    {
      name: "Ramp",
      value:
        ramp === null || ramp.cut_ns === null
          ? notAssessed(ramp?.reason ?? reason)
          : assessed(ramp.cut_ns === 0 ? "none found" : `the first ${formatSpan(ramp.cut_ns)}`),
    },
    ...steps.map(
      (change): Line => ({
        name: sentence(change.quantity),
        value:
          change.reason !== null
            ? notAssessed(change.reason)
            : assessed(
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

export const thresholdName = (course: ThresholdCourse): string => `over ${formatExactLatency(course.threshold_ns)}`;
export const limitName = (course: ThresholdCourse): string => `limit ${formatExactPercent(course.limit_ratio)}`;

export function thresholdLines(course: ThresholdCourse): Line[] {
  return [
    { name: "Levels", value: levels(course.levels) },
    { name: "Drift", value: drift(course.drift) },
    { name: "Late degradation", value: degradation(course.late_degradation) },
    { name: "Worst hour, from the start", value: worst(course.worst_aligned_hour) },
    { name: "Worst hour, anywhere", value: worst(course.worst_rolling_hour) },
    { name: "Hours within the limit", value: hours(course.compliance) },
    { name: "Error budget used", value: used(course.burn) },
    { name: "Fastest use", value: fastest(course.burn) },
    { name: "Alerts", value: alerts(course.burn) },
  ];
}

function levels({ levels: steps, reason }: ThresholdCourse["levels"]): Assessment {
  if (reason !== null || steps.length === 0) return notAssessed(reason);
  const [first, ...later] = steps;
  const from = first === undefined ? "" : formatPercent(first.ratio);
  if (later.length === 0) return assessed(`one level, ${from}`);
  return assessed(
    [from, ...later.map((level) => `${formatPercent(level.ratio)} from ${at(level.start_ns)}`)].join(", then "),
  );
}

function drift(result: ThresholdCourse["drift"]): Assessment {
  const { slope_per_hour: slope, slope_lower: lower, slope_upper: upper } = result;
  if (slope === null) return notAssessed(result.reason);
  if (!result.is_shown) return assessed("no more than chance");
  const sign = slope > 0 ? "+" : "−";
  const range =
    lower === null || upper === null ? "" : ` (${toFigures(lower, "down", 2)} to ${toFigures(upper, "up", 2)})`;
  return assessed(`${sign}${toFigures(Math.abs(slope), "nearest", 2)} points per hour${range}`);
}

function degradation(result: ThresholdCourse["late_degradation"]): Assessment {
  if (result.is_degraded === null) return notAssessed(result.reason);
  if (!result.is_degraded) return assessed("none");
  const from = result.before === null ? "" : formatPercent(result.before.ratio);
  const to = result.after === null ? "" : formatPercent(result.after.ratio);
  return assessedParts([
    `${from} to ${to}${result.changed_ns === null ? "" : ` from ${at(result.changed_ns)}`}`,
    result.lasts ? "to the end" : "later better again",
    result.recovery_ns === null ? null : `comes and goes every ${formatSpan(result.recovery_ns)}`,
    result.hours_until_failing === null
      ? "the limit held"
      : `the limit broke after ${plural(result.hours_until_failing, "full hour")}`,
  ]);
}

function worst(result: ThresholdCourse["worst_aligned_hour"]): Assessment {
  const { worst_lower: lower, worst_upper: upper, start_ns: start } = result;
  if (lower == null || upper == null) return notAssessed(result.reason ?? null);
  return assessed(`${formatPercentInterval(lower, upper)}${start == null ? "" : `, from ${at(start)}`}`);
}

function hours(result: ThresholdCourse["compliance"]): Assessment {
  if (result.kept_ratio === null) return notAssessed(result.reason);
  const hoursWithin = Math.round(result.kept_ratio * result.hours);
  return assessedParts([
    `${formatInteger(hoursWithin)} of ${formatInteger(result.hours)}`,
    result.first_violation_ns === null ? null : `the first broken from ${at(result.first_violation_ns)}`,
    result.longest_violation_hours === null || result.longest_violation_hours < 2
      ? null
      : `up to ${formatInteger(result.longest_violation_hours)} in a row`,
  ]);
}

function used(burn: ThresholdCourse["burn"]): Assessment {
  if (burn.rate === null) return notAssessed(burn.reason);
  const spent = formatPercent(burn.rate);
  return assessed(burn.exhausted_ns === null ? spent : `${spent}, all of it by ${at(burn.exhausted_ns)}`);
}

/** Returns the highest burn rate of all windows with enough expected events. */
function fastest(burn: ThresholdCourse["burn"]): Assessment {
  const rates = burn.fastest.filter((rate) => rate.rate !== null && !rate.is_greyed);
  const [top] = rates.sort((a, b) => (b.rate ?? 0) - (a.rate ?? 0));
  if (top === undefined || top.rate === null) {
    const greyed = burn.fastest.some((rate) => rate.is_greyed);
    return notAssessed(
      greyed
        ? "fewer than 10 over the threshold were to be expected in any window"
        : (burn.fastest[0]?.reason ?? burn.reason),
    );
  }
  const start = top.start_ns === null ? "" : `, from ${at(top.start_ns)}`;
  return assessed(`${toFigures(top.rate)}\u00a0× over ${formatSpan(top.length_ns)}${start}`);
}

function alerts(burn: ThresholdCourse["burn"]): Assessment {
  const fired = burn.alerts.filter((alert) => alert.fired_ns !== null);
  if (fired.length > 0) {
    return assessed(
      fired
        .map(
          (alert) =>
            `${alert.severity} at ${alert.rate}\u00a0× over ${formatSpan(alert.long_ns)}, at ${formatClock(alert.fired_ns ?? 0)}`,
        )
        .join("; "),
    );
  }
  const fitting = burn.alerts.filter((alert) => alert.reason === null);
  if (fitting.length === 0) return notAssessed(burn.alerts[0]?.reason ?? burn.reason);
  return assessed(
    fitting.length === burn.alerts.length ? "none" : `none of those that fit into the run (${fitting.length})`,
  );
}

/** Returns the distinct reasons why items were not assessed, each with the names of its items. */
export function unassessedReasons(lines: readonly Line[]): { reason: string; names: string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const { name, value } of lines) {
    if (value.reason === null) continue;
    const names = byReason.get(value.reason) ?? [];
    if (!names.includes(name)) names.push(name);
    byReason.set(value.reason, names);
  }
  return [...byReason].map(([reason, names]) => ({ reason, names }));
}
