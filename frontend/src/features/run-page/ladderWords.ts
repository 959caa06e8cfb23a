// Sentences about a load ladder: proven and undecided loads. A step counts only for its own length; certification texts
// come from the certification's verdict.
import type { Ladder, LadderStep } from "@/api/types";
import { loadText } from "@/entities/drive/ratings";
import { outcomeName } from "@/entities/run/words";
import { reasonName } from "@/entities/verdict/words";
import { formatExactLatency, formatExactPercent, formatPercent, formatSpan, sentence } from "@/lib/format";
import { decidingRow } from "./ExceedanceCard";

const MOST_NAMED = 4;

/** Returns the name of a step: `2x`, `hold 2x`, `stress 4x`, or kind and number if the plan names no load. */
export function stepName(step: LadderStep): string {
  const load = step.load_multiple === null ? `step ${step.step}` : loadText(step.load_multiple);
  return step.kind === "raise" ? load : `${step.kind} ${load}`;
}

/** Returns the deciding share of a step: `7.2 % over 1 ms`; otherwise its state, or why its verdict is undecided. */
export function stepText(step: LadderStep): string {
  if (step.verdict === null) {
    if (step.state !== "finished") return "running";
    return step.outcome === "completed" || step.outcome === null ? "being judged" : outcomeName(step.outcome);
  }
  if (step.verdict === "INDETERMINATE") return step.reason === null ? "" : reasonName(step.reason);
  const row = decidingRow(step.verdict, step.rows);
  return row?.ratio == null ? "" : `${formatPercent(row.ratio)} over ${formatExactLatency(row.threshold_ns)}`;
}

/** Returns what the final verdicts prove, in one sentence. */
export function finding(ladder: Ladder): string {
  const { kept_load_multiple: held, broken_load_multiple: broken } = ladder;
  const breaks = broken === null ? null : breakText(ladder, broken);
  if (held === null) {
    if (breaks !== null) return `No load is proven to keep ACT's limits: at ${breaks}.`;
    if (!ladder.may_change) return "No load is decided.";
    return ladder.steps.every((step) => step.verdict === null || step.provisional)
      ? "No load has been judged yet."
      : "No load is decided yet.";
  }
  const loads = ladder.every_step_passed ? `up to ${loadText(held)}` : `at ${loadText(held)}`;
  const keeps = `ACT's limits were kept ${loads} in runs of ${lengthText(ladder, held)}`;
  if (breaks !== null) return `${keeps}; at ${breaks}.`;
  return ladder.may_change ? `${keeps} so far.` : `${keeps}; no load is proven to break them.`;
}

function breakText(ladder: Ladder, broken: number): string {
  const step = ladder.steps.find(
    (candidate) => candidate.load_multiple === broken && candidate.verdict === "FAIL" && !candidate.provisional,
  );
  const row = step === undefined ? null : decidingRow(step.verdict, step.rows);
  if (row?.ratio == null) return `${loadText(broken)} they were broken`;
  const over = formatExactLatency(row.threshold_ns);
  const limit = formatExactPercent(row.limit_ratio);
  return `${loadText(broken)}, ${formatPercent(row.ratio)} of the reads were over ${over} (limit ${limit})`;
}

/** Returns restrictions that the sentence of `finding` does not mention. */
export function caveats(ladder: Ladder, isMine: boolean): string[] {
  const texts: string[] = [];
  const { kept_load_multiple: highest, held_load_multiple: held, certified_load_multiple: certified } = ladder;
  const open = ladder.steps.filter((step) => step.verdict === "INDETERMINATE" && !step.provisional);
  // If no load is decided, `finding` has already said so.
  if (open.length > 0 && (highest !== null || ladder.broken_load_multiple !== null)) {
    const names = open.length > MOST_NAMED ? `${open.length} steps` : listed(open.map(stepName));
    texts.push(`${sentence(names)} ${open.length === 1 ? "is" : "are"} undecided.`);
  }
  const cut = ladder.steps.filter(
    (step) => step.verdict === "PASS" && step.outcome !== null && step.outcome !== "completed",
  );
  if (cut.length > 0) {
    texts.push(
      `${sentence(listed(cut.map(stepName)))} did not run to the end and ${cut.length === 1 ? "proves" : "prove"} no load.`,
    );
  }
  const awaited = ladder.steps.some((step) => step.kind === "raise" && (step.verdict === null || step.provisional));
  if (held !== null && (highest === null || highest < held) && !awaited) {
    const instead = highest === null ? "none" : loadText(highest);
    texts.push(
      `The agent, by its own figures, held ${loadText(held)}; by the verdicts the highest kept load is ${instead}.`,
    );
  }
  if (!ladder.is_whole) {
    texts.push(isMine ? "Some steps are missing here." : "Steps that are not published are not shown.");
  }
  if (certified !== null) texts.push(`The certification was passed at ${loadText(certified)}.`);
  else if (highest !== null) {
    const long = formatSpan(ladder.certification_duration_ns);
    texts.push(`Each verdict is about its own run. None certifies a load: that takes ${long}.`);
  }
  return texts;
}

/** Returns the lengths of passed runs up to a load: `20 s`, `20 s to 1 h`. */
function lengthText(ladder: Ladder, load: number): string {
  const lengths = ladder.steps
    .filter((step) => step.load_multiple !== null && step.load_multiple <= load && step.verdict === "PASS")
    .map((step) => step.measured_duration_ns ?? step.planned_duration_ns);
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)].map((lengthNs) => formatSpan(lengthNs));
  return shortest === longest ? String(shortest) : `${shortest} to ${longest}`;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
