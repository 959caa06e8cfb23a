// Load ladder of a run: what its verdicts prove, and every step with its verdict. Updates while the ladder runs.
import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import { ladderQuery } from "@/api/queries";
import type { Ladder, LadderStep, RunDetail } from "@/api/types";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { formatSpan } from "@/lib/format";
import { RunLink } from "@/ui/links";
import { QueryView } from "@/ui/states";
import classes from "./LadderStrip.module.css";
import { caveats, finding, stepName, stepText } from "./ladderWords";

type Mark = NonNullable<RunDetail["ladder"]>;

export function LadderStrip({ run }: { run: RunDetail }) {
  return run.ladder === null ? null : <Strip runId={run.run_id} mark={run.ladder} />;
}

function Strip({ runId, mark }: { runId: string; mark: Mark }) {
  const titleId = useId();
  const ladder = useQuery(ladderQuery(runId, mark.ladder_id));
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
    steps.scrollLeft = current.offsetLeft - steps.offsetLeft - (steps.clientWidth - current.clientWidth) / 2;
    steps.scrollTop = current.offsetTop - steps.offsetTop - (steps.clientHeight - current.clientHeight) / 2;
  }, [runId, count]);
  return (
    <>
      <p className="strong" role="status">
        {finding(ladder)}
      </p>
      <ol ref={list} className={classes["steps"]}>
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

function Step({ step, isCurrent }: { step: LadderStep; isCurrent: boolean }) {
  const length = formatSpan(step.measured_duration_ns ?? step.planned_duration_ns);
  return (
    <RunLink
      id={step.run_id}
      className={classes["step"]}
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
