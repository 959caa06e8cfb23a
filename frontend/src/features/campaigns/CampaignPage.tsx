// Page of one campaign: state, phases with their runs, agents, and the actions stop and repeat.
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import {
  type Campaign,
  type CampaignAgent,
  type CampaignPhase,
  campaignQuery,
  repeatCampaign,
  stopCampaign,
} from "@/api/campaigns";
import { Missing } from "@/entities/missing/Missing";
import { LoadSearchPanel } from "@/entities/run/LoadSearch";
import { VerdictBadge, VerdictLine } from "@/entities/verdict/VerdictBadge";
import { weakeningsInList } from "@/entities/verdict/words";
import { formatLatency, formatMoment, formatRate, plural } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { RunLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { Failed, QueryView } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Unknown } from "@/ui/Value";
import { answerOf, type CampaignAnswer } from "./answer";
import { ObjectiveAnswers, PhaseResults } from "./PhaseResults";
import { PreviousCampaign } from "./PreviousCampaign";
import { matchingAgents, SHOWN_AT_ONCE, withDistinctNames } from "./shownAgents";
import { type AgentFigures, useAgentFigures } from "./useAgentFigures";
import { type OwnVerdicts, useOwnVerdicts, usePhaseResults } from "./usePhaseResults";
import { isOver, PHASE_STATES, RETURN_WITHIN_MINUTES, stateOf, stepOf } from "./words";

const CampaignMachines = lazy(() =>
  import("./CampaignMachines").then((module) => ({ default: module.CampaignMachines })),
);

const Siblings = lazy(() => import("./Siblings").then((module) => ({ default: module.Siblings })));

/** Highest number of lost agents that a phase lists by name. */
const MOST_LOST = 20;

const ON_LOST = {
  end: "a lost agent ends it",
  degrade: "it continues without a lost agent",
  wait: `it waits ${RETURN_WITHIN_MINUTES} minutes for a lost agent`,
};

export function CampaignPage({ campaignId }: { campaignId: string }) {
  const campaign = useQuery(campaignQuery(campaignId));
  usePageTitle(campaign.data?.title ?? "Campaign");
  if (campaign.data === undefined)
    return (
      <QueryView
        query={campaign}
        what="the campaign"
        lines={4}
        height={40}
        missing={<Missing page what="campaign" />}
      />
    );
  return <CampaignContent campaign={campaign.data} />;
}

function CampaignContent({ campaign }: { campaign: Campaign }) {
  const results = usePhaseResults(campaign);
  const [text, setText] = useState("");
  const [count, setCount] = useState(SHOWN_AT_ONCE);
  const matching = matchingAgents(withDistinctNames(campaign.agents), text);
  const shown = matching.slice(0, count);
  const allShown = shown.length === campaign.agents.length;
  const figures = useAgentFigures({ ...campaign, agents: [...shown] });
  const ownVerdicts = useOwnVerdicts({ ...campaign, agents: [...shown] });
  const probe = campaign.phases.find(({ probe, run_id }) => probe !== null && run_id !== null);
  return (
    <div className="stack-16">
      <header className="wrap between">
        <div>
          <div className="wrap">
            <Link to="/campaigns">Campaigns</Link> <span aria-hidden="true">/</span>{" "}
            <h1 className="place">{campaign.title}</h1>
          </div>
          <p className="small">
            {campaign.target} · {plural(campaign.agents.length, "agent")} · began {formatMoment(campaign.created_at)} ·{" "}
            {ON_LOST[campaign.search === null ? campaign.on_lost : "wait"]}
          </p>
        </div>
        <Actions campaign={campaign} />
      </header>
      <Answer campaign={campaign} answer={answerOf(campaign, results, figures, allShown ? ownVerdicts : new Map())} />
      {probe?.run_id ? <LoadSearchPanel runId={probe.run_id} /> : null}
      <Section title="Phases" className="stack-8">
        {campaign.phases.length === 0 ? (
          <p>The agents have not confirmed the plan yet.</p>
        ) : (
          <ol className="wrap plain-list">
            {campaign.phases.map((phase) => (
              <Phase key={phase.number} phase={phase} />
            ))}
          </ol>
        )}
      </Section>
      <PhaseResults campaign={campaign} results={results} />
      <Agents campaign={campaign} agents={shown} figures={figures} ownVerdicts={ownVerdicts}>
        {campaign.agents.length <= SHOWN_AT_ONCE ? null : (
          <TextInput
            label="Agents whose name contains"
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setCount(SHOWN_AT_ONCE);
            }}
          />
        )}
        {allShown ? null : (
          <p>
            {shown.length} of {plural(matching.length, "agent")} shown, those with trouble first.{" "}
            {shown.length < matching.length ? (
              <Button variant="subtle" size="compact-sm" onClick={() => setCount(count + SHOWN_AT_ONCE)}>
                Show more
              </Button>
            ) : null}
          </p>
        )}
      </Agents>
      <Suspense fallback={null}>
        <Siblings campaign={campaign} />
      </Suspense>
      <PreviousCampaign campaign={campaign} />
      <Suspense fallback={null}>
        <CampaignMachines campaign={campaign} />
      </Suspense>
      <details>
        <summary>Plan</summary>
        <pre>{campaign.plan}</pre>
      </details>
    </div>
  );
}

/** Shows the verdict of the answer's phase, the answer in a sentence, and the state of the campaign. */
function Answer({ campaign, answer }: { campaign: Campaign; answer: CampaignAnswer }) {
  const { sentence, reason, result } = answer;
  const run = result?.run;
  const verdict = run?.verdicts[0];
  return (
    <section aria-label="Answer" className="stack-8 items-start">
      {run === undefined || verdict === undefined ? null : (
        <VerdictLine of={verdict} fact={verdict.budget_title} weakenings={weakeningsInList(run, verdict)} />
      )}
      <h2 className="answer-title">
        {sentence.before}
        {sentence.key === "" ? null : <span style={{ color: "var(--data)" }}>{sentence.key}</span>}
        {sentence.after}
      </h2>
      {run === undefined ? null : <ObjectiveAnswers runId={run.run_id} objectives={campaign.objectives} />}
      {reason === null ? null : <p>{reason}</p>}
      <p role="status" className={stateOf(campaign) === sentence.before ? "visually-hidden" : undefined}>
        {stateOf(campaign)}
      </p>
    </section>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const navigate = useNavigate();
  const stop = useMutation({ mutationFn: (_: undefined, { client }) => stopCampaign(client, campaign.campaign_id) });
  const repeat = useMutation({
    mutationFn: (_: undefined, { client }) => repeatCampaign(client, campaign.campaign_id),
    onSuccess: ({ campaign_id }) =>
      void navigate({ to: "/campaigns/$campaignId", params: { campaignId: campaign_id } }),
  });
  const problem = stop.error ?? repeat.error;
  return (
    <div className="row no-print">
      {campaign.state === "ended" ? (
        <Button size="xs" loading={repeat.isPending} onClick={() => repeat.mutate()}>
          Repeat
        </Button>
      ) : (
        <Button size="xs" variant="outline" color="red" loading={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      )}
      <Failed error={problem} what="The campaign" />
    </div>
  );
}

const RUNNING = { border: "2px solid var(--data)" };

function Phase({ phase }: { phase: CampaignPhase }) {
  const { name, state, start_at, apart_ns, run_id, merged, remarks, lost } = phase;
  return (
    <li className="card stack-2 self-top notice" style={state === "running" ? RUNNING : undefined}>
      <strong>
        {name} · {PHASE_STATES[state]}
      </strong>
      {start_at === null ? null : (
        <span className="dim">
          Start {formatMoment(start_at)}
          {apart_ns === null ? null : `, agents at most ${formatLatency(apart_ns, "up")} apart`}
        </span>
      )}
      {run_id === null ? (
        isOver(phase) && merged.length === 0 ? (
          <span className="dim">The records of the agents are being added up.</span>
        ) : null
      ) : (
        <RunLink id={run_id}>Run of {merged.length === 1 ? merged[0] : `${merged.length} agents together`}</RunLink>
      )}
      {remarks.length > 0
        ? remarks.map((remark) => <span key={remark}>{remark}</span>)
        : lost.slice(0, MOST_LOST).map(({ agent, reason }) => (
            <span key={agent}>
              {agent} was lost: {reason}.
            </span>
          ))}
      {remarks.length === 0 && lost.length > MOST_LOST ? <span>{lost.length - MOST_LOST} more were lost.</span> : null}
    </li>
  );
}

type AgentsProps = {
  campaign: Campaign;
  agents: readonly CampaignAgent[];
  figures: ReadonlyMap<string, AgentFigures>;
  ownVerdicts: OwnVerdicts;
  /** Fields that choose the agents. */
  children: ReactNode;
};

function Agents({ campaign, agents, figures, ownVerdicts, children }: AgentsProps) {
  const columns: Columns<CampaignAgent> = [
    { header: "Agent", accessorKey: "name", meta: ROW_HEADER },
    {
      header: "Now",
      accessorFn: (agent) => `${stepOf(agent, campaign)}${agent.reason === null ? "" : `: ${agent.reason}`}`,
      meta: { onPhone: "lead" },
    },
    {
      header: "Rate",
      accessorFn: ({ agent_id }) => {
        const rate = figures.get(agent_id)?.rate;
        return rate === undefined ? <Unknown reason="not measured yet" /> : formatRate(rate);
      },
      meta: RIGHT,
    },
    {
      header: "99 of 100 within",
      accessorFn: ({ agent_id }) => {
        const p99Ns = figures.get(agent_id)?.p99Ns ?? null;
        return p99Ns === null ? <Unknown reason="not measured yet" /> : formatLatency(p99Ns, "up");
      },
      meta: RIGHT,
    },
    {
      header: "Clock error",
      accessorFn: ({ clock_error_ns: errorNs }) =>
        errorNs === null ? <Unknown reason="not compared yet" /> : `±${formatLatency(errorNs, "up")}`,
      meta: RIGHT,
    },
    {
      header: "Its own runs",
      accessorFn: ({ runs }) =>
        Object.entries(runs).map(([number, runId]) => (
          <span key={number}>
            <RunLink id={runId}>{campaign.phases[Number(number)]?.name ?? number}</RunLink>{" "}
            {ownVerdicts.get(runId)?.map((verdict) => (
              <div key={verdict.title}>
                <VerdictBadge of={verdict} /> <span className="dim">{verdict.title}</span>
              </div>
            ))}
          </span>
        )),
    },
  ];
  return (
    <Section title="Agents">
      {children}
      <DataTable label="Agents of the campaign" columns={columns} rows={agents} rowId="agent_id" />
    </Section>
  );
}
