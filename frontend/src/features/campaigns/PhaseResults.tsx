// Each phase of a campaign by itself: its target, the rate of all agents together, its latency and its verdict.
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Campaign, CampaignPhase } from "@/api/campaigns";
import type { RunSummary } from "@/api/types";
import { clockName, hasQuestion, PHASE_KINDS } from "@/entities/run/words";
import { useEvaluation } from "@/entities/verdict/useEvaluation";
import { VerdictBadge } from "@/entities/verdict/VerdictBadge";
import { Weakening } from "@/entities/verdict/VerdictLine";
import { weakeningsInList } from "@/entities/verdict/words";
import { formatInteger, formatLatency, formatLatencyInterval, formatPercent, formatRate } from "@/lib/format";
import { nanoseconds, opsPerSecond, ratio } from "@/lib/units";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Unknown } from "@/ui/Value";
import classes from "./campaigns.module.css";
import type { PhaseRow } from "./phaseRows";
import type { PhaseResult } from "./usePhaseResults";

type PhaseResultsProps = { campaign: Campaign; results: readonly PhaseResult[] };

export function PhaseResults({ campaign, results }: PhaseResultsProps) {
  if (results.length === 0) return null;
  return (
    <section aria-labelledby="results">
      <h2 id="results">Results of the phases</h2>
      <ScrollRegion label="Results of the phases, as a table" cards>
        <table className={`data ${classes["results"]}`}>
          <thead>
            <tr>
              <th scope="col">Phase</th>
              <th scope="col">Verdict</th>
              <th scope="col">Agents</th>
              <th scope="col">Operation</th>
              <th scope="col" className="right">
                Asked
              </th>
              <th scope="col" className="right">
                Achieved
              </th>
              <th scope="col" className="right">
                99 of 100 within
              </th>
              <th scope="col" className="right">
                Operations
              </th>
            </tr>
          </thead>
          {results.map((result) => (
            <PhaseBody key={result.phase.number} {...result} objectives={campaign.objectives} />
          ))}
        </table>
      </ScrollRegion>
    </section>
  );
}

function PhaseBody({ phase, rows, run, objectives }: PhaseResult & { objectives: readonly string[] }) {
  const span = Math.max(1, rows.length);
  return (
    <tbody>
      {(rows.length === 0 ? [null] : rows).map((row, index) => (
        <tr key={row?.operation ?? phase.number}>
          {index > 0 ? null : (
            <>
              <th scope="rowgroup" rowSpan={span}>
                {phase.name}
              </th>
              <td rowSpan={span}>
                <PhaseVerdict phase={phase} run={run} />
                {run === undefined || run.phase_kind !== null || objectives.length === 0 ? null : (
                  <ul className={classes["verdicts"]}>
                    {objectives.map((objective) => (
                      <ObjectiveAnswer key={objective} runId={run.run_id} objective={objective} />
                    ))}
                  </ul>
                )}
              </td>
              <td rowSpan={span}>
                <Together phase={phase} />
              </td>
            </>
          )}
          {row === null ? (
            <td colSpan={5}>
              <Unknown reason="the plan names no operations" />
            </td>
          ) : (
            <Figures row={row} isOver={phase.state === "ended"} />
          )}
        </tr>
      ))}
    </tbody>
  );
}

function PhaseVerdict({ phase, run }: { phase: CampaignPhase; run: RunSummary | undefined }) {
  if (phase.run_id === null && phase.merged.length > 0)
    return <Unknown reason="the records cannot be added up; each agent's own run stands below" />;
  if (phase.run_id === null || run === undefined)
    return <Unknown reason={phase.state === "ended" ? "the records are added up" : "not measured yet"} />;
  const params = { runId: run.run_id };
  if (run.phase_kind !== null)
    return <span className="dim">{PHASE_KINDS[run.phase_kind]}: its operations are not requests of users</span>;
  if (run.verdicts.length > 0)
    return (
      <ul className={classes["verdicts"]}>
        {run.verdicts.map((verdict) => (
          <li key={verdict.budget_name}>
            <Link to="/runs/$runId" params={params}>
              <VerdictBadge of={verdict} />
              <span className="visually-hidden"> of {phase.name}</span>
            </Link>{" "}
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
    <Link to="/runs/$runId" params={params}>
      No built-in question; set your own<span className="visually-hidden"> for {phase.name}</span>
    </Link>
  );
}

/** Whether a phase keeps an objective of its campaign. */
export function ObjectiveAnswer({ runId, objective }: { runId: string; objective: string }) {
  const subject = useMemo(() => ({ key: runId, subject: { run_id: runId } }), [runId]);
  const budget = useMemo(() => ({ objective }), [objective]);
  const { answer } = useEvaluation(subject, budget);
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

/** Whose records are in the sum, and how far apart they may have begun. */
function Together({ phase: { agents, merged, apart_ns, run_id } }: { phase: CampaignPhase }) {
  const of = run_id === null ? agents.length : merged.length;
  return (
    <>
      {of === 0 ? <Unknown reason="not begun" /> : `${of} of ${Math.max(of, agents.length)}`}
      {apart_ns === null || agents.length < 2 ? null : (
        <div className="dim">begun within {formatLatency(nanoseconds(apart_ns), "up")}, by their clocks</div>
      )}
    </>
  );
}

function Figures({ row, isOver }: { row: PhaseRow; isOver: boolean }) {
  const { name, target, achieved, p99, clock, count, missRatio } = row;
  const nothing = <Unknown reason={isOver ? "not recorded" : "not measured yet"} />;
  return (
    <>
      <th scope="row">{name}</th>
      <td className="right">
        {target === undefined ? (
          <Unknown reason="not asked for by itself" />
        ) : target === null ? (
          "as fast as possible"
        ) : (
          formatRate(opsPerSecond(target))
        )}
      </td>
      <td className="right">
        {achieved === null ? (
          nothing
        ) : (
          <>
            {formatRate(opsPerSecond(achieved))}
            {target ? <div className="dim">{formatPercent(ratio(achieved / target))} of it</div> : null}
          </>
        )}
      </td>
      <td className="right">
        {p99 === null
          ? nothing
          : p99.upper === null
            ? `≥ ${formatLatency(nanoseconds(p99.lower), "down")}`
            : p99.lower === 0
              ? `≤ ${formatLatency(nanoseconds(p99.upper), "up")}`
              : formatLatencyInterval(nanoseconds(p99.lower), nanoseconds(p99.upper))}
        {p99 === null || clock === null ? null : <div className="dim">{clockName(clock)}</div>}
      </td>
      <td className="right">
        {count === null ? nothing : formatInteger(count)}
        {missRatio === null || missRatio === 0 ? null : <div>{formatPercent(ratio(missRatio))} missed</div>}
      </td>
    </>
  );
}
