// Load ladder of a run: what its verdicts prove, and every step with its verdict. Updates while the ladder runs.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { ladderQuery } from "@/api/queries";
import type { Ladder, LadderStep, RunDetail } from "@/api/types";
import { loadText } from "@/entities/drive/ratings";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { reasonName } from "@/entities/verdict/words";
import { formatExactLatency, formatExactPercent, formatPercent, formatSpan, sentence } from "@/lib/format";
import { RunLink } from "@/ui/links";
import { QueryView } from "@/ui/states";
import { decidingRow } from "./ExceedanceCard";
import classes from "./LadderStrip.module.css";

type Mark = NonNullable<RunDetail["ladder"]>;

export function LadderStrip({ run: { run_id: runId, ladder: mark } }: { run: RunDetail }) {
  const titleId = useId();
  const ladder = useQuery({ ...ladderQuery(runId, mark?.ladder_id ?? ""), enabled: mark !== null });
  if (mark === null) return null;
  return (
    <section className="stack-8 panel" aria-labelledby={titleId}>
      <Group align="baseline" gap="0 16px">
        <h2 id={titleId}>Load ladder</h2>
        {ladder.data === undefined ? null : <p className="dim">{progress(ladder.data, mark)}</p>}
      </Group>
      {ladder.data !== undefined ? (
        <Steps ladder={ladder.data} runId={runId} isMine={mark.step_count !== null} />
      ) : (
        <QueryView query={ladder} what="the load ladder" lines={1} height={128} />
      )}
    </section>
  );
}

function progress(ladder: Ladder, mark: Mark): string {
  const here = `this is step ${mark.step}`;
  if (mark.step_count === null) return here;
  const of = `${here} of ${Math.max(...ladder.steps.map((step) => step.step))}`;
  if (ladder.steps.some((step) => step.state !== "finished")) return `${of} so far, climbing`;
  return ladder.may_change ? `${of} so far` : of;
}

function Steps({ ladder, runId, isMine }: { ladder: Ladder; runId: string; isMine: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  const count = ladder.steps.length;
  const beside = caveats(ladder, isMine);
  // Scrolls the current step into view without scrolling the page.
  useEffect(() => {
    const steps = list.current;
    const current = steps?.querySelector<HTMLElement>(`[data-run="${CSS.escape(runId)}"]`);
    if (steps == null || current == null || count === 0) return;
    steps.scrollTop = current.offsetTop - steps.offsetTop - (steps.clientHeight - current.clientHeight) / 2;
  }, [runId, count]);
  return (
    <>
      <p className="strong" role="status">
        {finding(ladder)}
      </p>
      <ol ref={list} className={`row plain-list ${classes["steps"]}`}>
        {ladder.steps.map((step) => (
          <li key={step.run_id} data-run={step.run_id}>
            <Step step={step} isCurrent={step.run_id === runId} />
          </li>
        ))}
      </ol>
      {beside.length === 0 ? null : <p className="dim">{beside.join(" ")}</p>}
    </>
  );
}

const CURRENT = { borderColor: "var(--accent)", boxShadow: "inset 0 3px 0 var(--accent)" };

function Step({ step, isCurrent }: { step: LadderStep; isCurrent: boolean }) {
  const length = formatSpan(step.measured_duration_ns ?? step.planned_duration_ns);
  return (
    <RunLink
      id={step.run_id}
      className="stack-2 items-start self-top card plain-link"
      style={{ maxWidth: 216, height: "100%", padding: "6px 12px 8px", ...(isCurrent && CURRENT) }}
      aria-current={isCurrent ? "page" : undefined}
      title={`step ${step.step}, ${length}${step.reason_text === null ? "" : `: ${step.reason_text}`}`}
      preload="intent"
    >
      <span className="strong num icon-text">
        {step.state === "finished" ? null : <span className="dot" aria-hidden="true" />}
        {stepName(step)}
      </span>{" "}
      {step.verdict === null ? null : <VerdictBadge of={{ verdict: step.verdict, provisional: step.provisional }} />}{" "}
      <span className="dim fine num">{stepText(step)}</span>
    </RunLink>
  );
}

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
    return step.outcome === "completed" || step.outcome === null ? "being judged" : step.outcome;
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
