// Text for the load generator: known items with their figures, unknown items with the reason.
import type { RunDetail, TimelineSeries, Validity } from "@/api/types";
import {
  type Assessment,
  assessed,
  type Line,
  notAssessed,
  operationCountText,
  operationName,
} from "@/entities/run/words";
import {
  formatCount,
  formatExactLatency,
  formatExactPercent,
  formatInteger,
  formatLatency,
  formatPercent,
  formatRate,
  formatSpan,
  plural,
  rateOf,
} from "@/lib/format";
import { toFigures } from "@/lib/rounding";

/** Shown operation on one clock, with the totals of the whole run; null: not known. */
export type Operation = { readonly series: TimelineSeries; readonly totals: Totals | null };
type Totals = { readonly count: number | null; readonly miss_count: number };

type Source = Pick<RunDetail, "source" | "tool">;

const AGENT = "tailroom-agent";
const TOOLS: Record<string, string> = { act: "ACT", ycsb: "YCSB" };

const isOfAgent = (run: Source): boolean => run.source !== "upload" || run.tool === AGENT;

/** Returns why the state of the generator is unknown. */
export function whyUnknown(run: Source): string {
  if (!isOfAgent(run)) {
    return run.tool === null ? "the uploaded log does not say" : `a log of ${TOOLS[run.tool] ?? run.tool} does not say`;
  }
  return "the agent of this run does not say";
}

/** First sentence of the section. `clear` shows a check mark, `doubt` a warning, `open` neither. */
export type Headline = { readonly tone: "clear" | "doubt" | "open"; readonly text: string };

export function headline(run: RunDetail, live: boolean, validity: Validity | null): Headline[] {
  // Verdicts that are undecided because of the generator have their own text.
  const open = run.verdicts.flatMap(({ reason, reason_text }) => (reason === "generator" ? (reason_text ?? []) : []));
  const warnings = [...new Set(open)].map((text): Headline => ({ tone: "doubt", text }));
  if (run.closed_loop) {
    const text = "the generator waited for each answer before the next operation (closed loop)";
    return warnings.length > 0 ? warnings : [{ tone: "open", text }];
  }
  if (isAwaited(live, validity)) return [...warnings, { tone: "open", text: "no slice has been judged yet" }];
  if (validity === null || !validity.is_known) {
    const newer = isOfAgent(run) ? ", newer ones do" : "";
    const unknown = `how late the generator itself was is not known: ${whyUnknown(run)}${newer}`;
    return [...warnings, { tone: "open", text: unknown }];
  }
  return warnings.length > 0 ? warnings : [slicesAsWhole(live, validity)];
}

/** Returns the headline for all slices; slices are cleared only if lateness and busy share are both recorded. */
function slicesAsWhole(live: boolean, validity: Validity): Headline {
  const isRecorded = validity.lateness_p99_ns !== null && validity.busy_ratio !== null;
  const text = `${unreliableSentence(validity)}${live ? " so far" : ""}`;
  if (validity.doubtful > 0) return { tone: "doubt", text };
  return isRecorded ? { tone: "clear", text } : { tone: "open", text: `${text}, as far as is known` };
}

/** Returns whether slices are or will be assessed. */
export const assessesSlices = (live: boolean, validity: Validity | null): boolean =>
  isAwaited(live, validity) || (validity?.is_known ?? false);

const isAwaited = (live: boolean, validity: Validity | null): boolean =>
  live && (validity === null || validity.slices === 0);

function unreliableSentence({ slices, doubtful }: Validity): string {
  if (slices === 1) return `the only slice is ${doubtful === 0 ? "reliable" : "unreliable"}`;
  const count = doubtful === 0 ? "none" : formatInteger(doubtful);
  return `${count} of ${plural(slices, "slice")} ${doubtful < 2 ? "is" : "are"} unreliable`;
}

/** Returns lines about the unreliable slices of the verdicts; empty without assessed slices. */
export function sliceLines(run: Source, validity: Validity | null): Line[] {
  if (validity === null || !validity.is_known || validity.slices === 0) return [];
  const { lateness_p99_ns: lateness, busy_ratio: busy } = validity;
  const worst = (text: string | null, allowed: string | null): Assessment =>
    text === null
      ? notAssessed(whyUnknown(run))
      : assessed(`${text} in the worst slice${allowed === null ? "" : `, ${allowed}`}`);
  const lateText = lateness === null ? null : formatLatency(lateness, "up");
  const busyText = busy === null ? null : `${formatPercent(busy)} of its time`;
  return [
    { name: "Unreliable slices", value: assessed(unreliableSlicesText(validity)) },
    { name: "Lateness, p99", value: worst(lateText, lateLimitName(validity.late_limit_ns ?? null)) },
    { name: "Busiest thread", value: worst(busyText, `allowed ${formatExactPercent(BUSY_RATIO)}`) },
  ];
}

/** Returns target and achieved rate of each operation, and the operations in flight of a live run. */
export function loadLines(run: RunDetail, live: boolean, operations: readonly Operation[]): Line[] {
  if (operations.length === 0) return [];
  const rates = operations.map((operation) => ({
    name: operationName(operation.series.operation),
    value: rate(run, operation),
  }));
  const [reason, ...others] = new Set(rates.map((rate) => rate.value.reason));
  // A reason shared by all operations is printed once.
  const lines = reason != null && others.length === 0 ? [{ name: "Load", value: notAssessed(reason) }] : rates;
  return live ? [...lines, { name: "Under way", value: inFlight(run, operations) }] : lines;
}

function unreliableSlicesText({ slices, doubtful, late, busy }: Validity): string {
  const why = [
    late === 0 ? null : `${formatInteger(late)} late`,
    busy === 0 ? null : `${formatInteger(busy)} with a busy thread`,
  ].filter((part) => part !== null);
  const count = `${doubtful === 0 ? "none" : formatInteger(doubtful)} of ${formatInteger(slices)}`;
  return why.length === 0 ? count : `${count}: ${why.join(", ")}`;
}

/** Returns the achieved rate of an operation, compared with its target rate over the same time. */
function rate(run: RunDetail, operation: Operation): Assessment {
  const { intended, counted, durationNs } = overTime(operation.series) ?? asStated(run, operation) ?? NOTHING;
  const [achieved, target] = [counted, intended].map((count) => rateOf(count, durationNs));
  if (intended === 0 || achieved == null || target == null) {
    const ofOpenLoop = isOfAgent(run) ? "it has no schedule of its own" : "no intended rate is on record";
    return notAssessed(run.closed_loop ? "no rate was intended" : ofOpenLoop);
  }
  return assessed(`${formatCount(achieved)} of ${formatRate(target)} intended (${share(counted / intended)})`);
}

type Load = { intended: number; counted: number; durationNs: number };

const NOTHING: Load = { intended: 0, counted: 0, durationNs: 0 };

/** Returns the counts over all ticks with a known target; null without any. */
function overTime({ ticks }: TimelineSeries): Load | null {
  const load = { ...NOTHING };
  for (const [index, target] of ticks.target_count.entries()) {
    if (target === null) continue;
    load.intended += target;
    load.counted += (ticks.count[index] ?? 0) + (ticks.errors[index] ?? 0) + (ticks.timeouts[index] ?? 0);
    load.durationNs += ticks.duration_ns[index] ?? 0;
  }
  return load.intended === 0 ? null : load;
}

/** Returns the counts that another tool's file states for the whole run; null if incomplete. */
function asStated(run: RunDetail, { series, totals }: Operation): Load | null {
  const { operation, clock } = series;
  const own = run.series.filter(
    (candidate) => candidate.operation === operation && candidate.clock === clock && candidate.kind !== "tick",
  );
  // A series without a device covers all devices.
  const wholes = own.filter((candidate) => candidate.device === null);
  const intended = (wholes.length > 0 ? wholes : own).reduce<number | null>(
    (sum, part) => (sum === null || part.target_count === null ? null : sum + part.target_count),
    0,
  );
  if (intended === null || totals?.count == null || run.measured_duration_ns === null) return null;
  return { intended, counted: totals.count + totals.miss_count, durationNs: run.measured_duration_ns };
}

/** Returns a share in percent; above 100 % too, because more load than intended distorts the measurement. */
const share = (value: number): string =>
  value > 1 ? `${toFigures(value * 100, "nearest", 4)}\u00a0%` : formatPercent(value);

/** Longest duration of a single tick (one second), in nanoseconds; points of long runs cover several ticks. */
const LONGEST_TICK_NS = 1_500_000_000;

/** Returns the operations in flight, which no latency figure contains yet. */
function inFlight(run: Source, operations: readonly Operation[]): Assessment {
  const measured = operations.filter(({ series }) => series.ticks.start_ns.length > 0);
  if (measured.length === 0) return notAssessed("nothing was counted yet");
  const counted = measured.filter(({ series }) => series.ticks.in_flight.at(-1) != null);
  if (counted.length === 0) return notAssessed(whyUnknown(run));
  const parts = counted.flatMap(({ series }) => (series.ticks.in_flight.at(-1) === 0 ? [] : [inFlightText(series)]));
  return assessed(parts.length === 0 ? "nothing at the last tick" : `${parts.join("; ")}: not counted yet`);
}

function inFlightText({ operation, ticks }: TimelineSeries): string {
  const lastedNs = ticks.duration_ns.at(-1) ?? 0;
  const oldestNs = ticks.oldest_in_flight_ns.at(-1) ?? null;
  // A point that covers several ticks has only the maxima, not the last values.
  const single = lastedNs <= LONGEST_TICK_NS;
  const what = `${single ? "" : "up to "}${operationCountText(operation, ticks.in_flight.at(-1) ?? 0)}`;
  const when = single ? "" : ` in the last ${formatSpan(lastedNs)}`;
  return `${what}${when}${oldestNs === null ? "" : `, the oldest for ${formatSpan(oldestNs)}`}`;
}

/** Returns the validity with most unreliable slices, on equality with the smallest limit; unknown validities last. */
export function validityOf(run: Pick<RunDetail, "verdicts">): Validity | null {
  const validities = run.verdicts.flatMap(({ validity }) => (validity == null ? [] : [validity]));
  const doubt = (validity: Validity): number => (validity.is_known ? validity.doubtful : -1);
  const limitNs = (validity: Validity): number => validity.late_limit_ns ?? Number.POSITIVE_INFINITY;
  const byDoubt = (first: Validity, second: Validity): number =>
    doubt(second) - doubt(first) || limitNs(first) - limitNs(second) || 0;
  return validities.toSorted(byDoubt)[0] ?? null;
}

/** Allowed busy share of the busiest measuring thread. */
const BUSY_RATIO = 0.7;

/** Returns the lateness limit as text: `allowed 100 ms`; null without a limit. */
export const lateLimitName = (limitNs: number | null): string | null =>
  limitNs === null ? null : `allowed ${formatExactLatency(limitNs)}`;

/** Returns why a slice is unreliable: `late`, `busy`, `late and busy`; null if neither is known. */
export function unreliableReason(
  latenessNs: number | null,
  busyRatio: number | null,
  limitNs: number | null,
): string | null {
  const doubts = [
    latenessNs !== null && limitNs !== null && latenessNs > limitNs ? "late" : null,
    busyRatio !== null && busyRatio > BUSY_RATIO ? "busy" : null,
  ].filter((doubt) => doubt !== null);
  return doubts.length === 0 ? null : doubts.join(" and ");
}
