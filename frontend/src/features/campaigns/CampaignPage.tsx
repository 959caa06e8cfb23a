// One campaign: how it stands, its phases as a track with their runs, its agents as rows, the start with its error.
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { type Campaign, type CampaignPhase, campaignQuery, repeatCampaign, stopCampaign } from "@/api/campaigns";
import { isNotFound } from "@/api/problem";
import { Missing } from "@/entities/missing/Missing";
import { formatLatency, formatMoment } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { Failed, Loading } from "@/ui/states";
import { usePageTitle } from "@/ui/usePageTitle";
import { Unknown } from "@/ui/Value";
import classes from "./campaigns.module.css";
import { LastTime } from "./LastTime";
import { PhaseResults } from "./PhaseResults";
import { PHASE_STATES, stateOf, stepOf } from "./words";

const CampaignMachines = lazy(() =>
  import("./CampaignMachines").then((module) => ({ default: module.CampaignMachines })),
);

const Siblings = lazy(() => import("./Siblings").then((module) => ({ default: module.Siblings })));

export function CampaignPage({ campaignId }: { campaignId: string }) {
  const found = useQuery(campaignQuery(campaignId));
  usePageTitle(found.data?.title ?? "Campaign");
  if (found.data === undefined) {
    if (found.error === null) return <Loading what="the campaign" lines={4} height={40} />;
    if (isNotFound(found.error)) return <Missing page what="campaign" />;
    return <Failed error={found.error} what="The campaign" onRetry={() => void found.refetch()} />;
  }
  const campaign = found.data;
  return (
    <div className={classes["page"]}>
      <header>
        <h1>{campaign.title}</h1>
        <p role="status">{stateOf(campaign)}</p>
        <p className="dim">
          {campaign.target} · begun {formatMoment(campaign.created_at)} ·{" "}
          {campaign.on_lost === "end" ? "a lost agent ends it" : "it continues without a lost agent"}
        </p>
      </header>
      <Actions campaign={campaign} />
      <section aria-labelledby="phases">
        <h2 id="phases">Phases</h2>
        {campaign.phases.length === 0 ? (
          <p>The agents have not confirmed the plan yet.</p>
        ) : (
          <ol className={classes["track"]}>
            {campaign.phases.map((phase) => (
              <Phase key={phase.number} phase={phase} />
            ))}
          </ol>
        )}
      </section>
      <PhaseResults campaign={campaign} />
      <Suspense fallback={null}>
        <Siblings campaign={campaign} />
      </Suspense>
      <LastTime campaign={campaign} />
      <Suspense fallback={null}>
        <CampaignMachines campaign={campaign} />
      </Suspense>
      <Agents campaign={campaign} />
      <details>
        <summary>Plan</summary>
        <pre>{campaign.plan}</pre>
      </details>
    </div>
  );
}

function Actions({ campaign }: { campaign: Campaign }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const stop = useMutation({ mutationFn: () => stopCampaign(queries, campaign.campaign_id) });
  const repeat = useMutation({
    mutationFn: () => repeatCampaign(queries, campaign.campaign_id),
    onSuccess: ({ campaign_id }) =>
      void navigate({ to: "/campaigns/$campaignId", params: { campaignId: campaign_id } }),
  });
  const problem = stop.error ?? repeat.error;
  return (
    <div className={`${classes["actions"]} no-print`}>
      {campaign.state === "ended" ? (
        <Button size="xs" variant="default" loading={repeat.isPending} onClick={() => repeat.mutate()}>
          Repeat
        </Button>
      ) : (
        <Button size="xs" color="red" loading={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      )}
      {problem === null ? null : <Failed error={problem} what="The campaign" />}
    </div>
  );
}

function Phase({ phase }: { phase: CampaignPhase }) {
  const { name, state, start_at, apart_ns, run_id, merged, remarks, lost } = phase;
  return (
    <li data-state={state}>
      <strong>
        {name} · {PHASE_STATES[state]}
      </strong>
      {start_at === null || apart_ns === null ? null : (
        <span className="dim">
          Start {formatMoment(start_at)}, agents at most {formatLatency(nanoseconds(apart_ns), "up")} apart
        </span>
      )}
      {run_id === null ? (
        state === "ended" ? (
          <span className="dim">The records of the agents are added up.</span>
        ) : null
      ) : (
        <Link to="/runs/$runId" params={{ runId: run_id }}>
          Run of {merged.length === 1 ? merged[0] : `${merged.length} agents together`}
        </Link>
      )}
      {remarks.length > 0
        ? remarks.map((remark) => <span key={remark}>{remark}</span>)
        : lost.map(({ agent, reason }) => (
            <span key={agent}>
              {agent} was lost: {reason}.
            </span>
          ))}
    </li>
  );
}

function Agents({ campaign }: { campaign: Campaign }) {
  return (
    <section aria-labelledby="agents">
      <h2 id="agents">Agents</h2>
      <ScrollRegion label="Agents of the campaign, as a table">
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Now</th>
              <th scope="col" className="right">
                Clock error
              </th>
              <th scope="col">Its own runs</th>
            </tr>
          </thead>
          <tbody>
            {campaign.agents.map((agent) => (
              <tr key={agent.agent_id}>
                <td>{agent.name}</td>
                <td>
                  {stepOf(agent, campaign.phases)}
                  {agent.reason === null ? null : `: ${agent.reason}`}
                </td>
                <td className="right">
                  {agent.clock_error_ns === null ? (
                    <Unknown reason="not compared yet" />
                  ) : (
                    `±${formatLatency(nanoseconds(agent.clock_error_ns), "up")}`
                  )}
                </td>
                <td>
                  {Object.entries(agent.runs).map(([number, runId]) => (
                    <span key={number}>
                      <Link to="/runs/$runId" params={{ runId }}>
                        {campaign.phases[Number(number)]?.name ?? number}
                      </Link>{" "}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
