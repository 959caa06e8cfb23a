// Table of the phases of a campaign: target, achieved rate of all agents, latency and verdict.
import type { ReactNode } from "react";
import type { Campaign, CampaignPhase } from "@/api/campaigns";
import type { RunSummary } from "@/api/types";
import { clockName, hasQuestion, PHASE_KINDS } from "@/entities/run/words";
import { useEvaluation } from "@/entities/verdict/useEvaluation";
import { VerdictBadge, Weakening } from "@/entities/verdict/VerdictBadge";
import { weakeningsInList } from "@/entities/verdict/words";
import { formatInteger, formatLatency, formatLatencyInterval, formatPercent, formatRate } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Unknown } from "@/ui/Value";
import type { PhaseRow } from "./phaseRows";
import type { PhaseResult } from "./usePhaseResults";
import { isOver } from "./words";

type Line = { result: PhaseResult; row: PhaseRow | null };

export function PhaseResults({ campaign, results }: { campaign: Campaign; results: readonly PhaseResult[] }) {
  if (results.length === 0) return null;
  const lines = results.flatMap((result): Line[] =>
    result.rows.length === 0 ? [{ result, row: null }] : result.rows.map((row) => ({ result, row })),
  );
  const columns: Columns<Line> = [
    { header: "Phase", accessorFn: ({ result }) => result.phase.name, meta: { ...ROW_HEADER, spansGroup: true } },
    {
      header: "Verdict",
      accessorFn: ({ result: { phase, run } }) => (
        <>
          <PhaseVerdict phase={phase} run={run} />
          {run === undefined || run.phase_kind !== null ? null : (
            <ObjectiveAnswers runId={run.run_id} objectives={campaign.objectives} />
          )}
        </>
      ),
      meta: { spansGroup: true },
    },
    { header: "Agents", accessorFn: ({ result }) => <MergedAgents phase={result.phase} />, meta: { spansGroup: true } },
    {
      header: "Operation",
      accessorFn: ({ row }) => row?.name ?? <Unknown reason="the plan names no operations" />,
      meta: ROW_HEADER,
    },
    { header: "Asked", accessorFn: ({ row }) => (row === null ? null : targetText(row)), meta: RIGHT },
    { header: "Achieved", accessorFn: figure(achieved), meta: RIGHT },
    { header: "99 of 100 within", accessorFn: figure(latency), meta: RIGHT },
    { header: "Operations", accessorFn: figure(operations), meta: RIGHT },
  ];
  return (
    <Section title="Results of the phases">
      <DataTable
        label="Results of the phases, as a table"
        plain="cards"
        columns={columns}
        rows={lines}
        groupOf={({ result }) => String(result.phase.number)}
        rowId={({ result, row }) => `${result.phase.number} ${row?.operation}`}
      />
    </Section>
  );
}

/** Returns why a phase has no figure: an ended phase has none until the records of its agents are added up. */
const whyUnmeasured = (phase: CampaignPhase): string => {
  if (!isOver(phase)) return "not measured yet";
  return phase.run_id === null && phase.merged.length === 0 ? "the records are being added up" : "not recorded";
};

function PhaseVerdict({ phase, run }: { phase: CampaignPhase; run: RunSummary | undefined }) {
  if (phase.run_id === null && phase.merged.length > 0)
    return <Unknown reason="the records cannot be added up; each agent's own run stands below" />;
  if (phase.run_id === null || run === undefined) return <Unknown reason={whyUnmeasured(phase)} />;
  if (run.phase_kind !== null)
    return <span className="dim">{PHASE_KINDS[run.phase_kind]}: its operations are not requests of users</span>;
  if (run.verdicts.length > 0)
    return (
      <ul className="stack-4 plain-list">
        {run.verdicts.map((verdict) => (
          <li key={verdict.budget_name}>
            <RunLink id={run.run_id}>
              <VerdictBadge of={verdict} />
              <span className="visually-hidden"> of {phase.name}</span>
            </RunLink>{" "}
            <span className="dim">{verdict.budget_title}</span>{" "}
            {weakeningsInList(run, verdict).map((text) => (
              <Weakening key={text} text={text} />
            ))}
          </li>
        ))}
      </ul>
    );
  if (hasQuestion(run)) return <Unknown reason={run.state === "finished" ? "being judged" : "not judged yet"} />;
  return (
    <RunLink id={run.run_id}>
      No built-in question; set your own<span className="visually-hidden"> for {phase.name}</span>
    </RunLink>
  );
}

/** Shows whether a phase meets the objectives of its campaign. */
export function ObjectiveAnswers({ runId, objectives }: { runId: string; objectives: Campaign["objectives"] }) {
  if (objectives.length === 0) return null;
  return (
    <ul className="stack-4 plain-list">
      {objectives.map((objective) => (
        <ObjectiveAnswer key={objective} runId={runId} objective={objective} />
      ))}
    </ul>
  );
}

function ObjectiveAnswer({ runId, objective }: { runId: string; objective: string }) {
  const { answer } = useEvaluation({ key: runId, subject: { run_id: runId } }, { objective });
  if (answer.error !== null)
    return (
      <li>
        {objective}: {answer.error.message}
      </li>
    );
  if (answer.data === undefined) return <li className="dim">{objective}: being judged</li>;
  return (
    <li>
      <VerdictBadge of={answer.data} /> <span className="dim">{answer.data.budget.document.title}</span>
    </li>
  );
}

/** Shows how many agents' results are merged, and how far apart the agents began. */
function MergedAgents({ phase: { agents, merged, apart_ns, run_id } }: { phase: CampaignPhase }) {
  const of = run_id === null ? agents.length : merged.length;
  return (
    <>
      {of === 0 ? <Unknown reason="not begun" /> : `${of} of ${Math.max(of, agents.length)}`}
      {apart_ns === null ? null : (
        <div className="dim">begun within {formatLatency(apart_ns, "up")}, by their clocks</div>
      )}
    </>
  );
}

function targetText({ target }: PhaseRow) {
  if (target === undefined) return <Unknown reason="not asked for by itself" />;
  return target === null ? "as fast as possible" : formatRate(target);
}

/** Returns the cell renderer of a figure of a plan row; the cell is empty if the phase names no operations. */
const figure =
  (shown: (row: PhaseRow) => ReactNode) =>
  ({ row, result }: Line): ReactNode =>
    row === null ? null : (shown(row) ?? <Unknown reason={whyUnmeasured(result.phase)} />);

const achieved = ({ achieved: rate, target }: PhaseRow) =>
  rate === null ? null : (
    <>
      {formatRate(rate)}
      {target ? <div className="dim">{formatPercent(rate / target)} of it</div> : null}
    </>
  );

const latency = ({ p99, clock }: PhaseRow) =>
  p99 === null ? null : (
    <>
      {p99.upper === null
        ? `≥ ${formatLatency(p99.lower, "down")}`
        : p99.lower === 0
          ? `≤ ${formatLatency(p99.upper, "up")}`
          : formatLatencyInterval(p99.lower, p99.upper)}
      {clock === null ? null : <div className="dim">{clockName(clock)}</div>}
    </>
  );

const operations = ({ count, missRatio }: PhaseRow) =>
  count === null ? null : (
    <>
      {formatInteger(count)}
      {missRatio === null || missRatio === 0 ? null : <div>{formatPercent(missRatio)} missed</div>}
    </>
  );
