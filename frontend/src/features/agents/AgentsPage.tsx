// Page of the agents that take part in campaigns: adds an agent by a code, shows its state, removes it.
import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { agentsQuery, makeCode, removeAgent, type ServingAgent } from "@/api/campaigns";
import { serverNow } from "@/api/serverClock";
import { clockOffsetText } from "@/lib/clockOffset";
import { formatAgo, formatBytes, formatLatency, formatMoment } from "@/lib/format";
import { Command } from "@/ui/Command";
import { ConfirmButton } from "@/ui/ConfirmDialog";
import { ACTIONS, type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { Section } from "@/ui/Section";
import { Failed, QueryView } from "@/ui/states";
import { useNow } from "@/ui/useNow";
import { usePageTitle } from "@/ui/usePageTitle";
import { Unknown } from "@/ui/Value";

export function AgentsPage() {
  usePageTitle("Agents");
  const query = useQuery(agentsQuery());
  const agents = query.data?.agents ?? [];
  return (
    <div className="stack-16">
      <header className="lead">
        <h1>Agents</h1>
        <p>
          Machines that take part in <Link to="/campaigns">campaigns</Link>. An agent asks for work; what it may do, a
          policy file on its own machine decides.
        </p>
      </header>
      <AddAgent />
      {query.data === undefined ? (
        <QueryView query={query} what="the agents" lines={3} height={40} />
      ) : agents.length === 0 ? (
        <p>No agent is enrolled. Add one with the button above.</p>
      ) : (
        <AgentTable agents={agents} />
      )}
    </div>
  );
}

function AddAgent() {
  const code = useMutation({ mutationFn: makeCode });
  return (
    <Section title="Add an agent" className="stack-8 items-start panel no-print">
      {code.data === undefined ? (
        <p>The code works once, within an hour.</p>
      ) : (
        <>
          <p>Run this on the machine that measures. The code works once, until {formatMoment(code.data.expires_at)}.</p>
          <Command text={`tailroom-agent enrol --backend ${globalThis.location.origin} --code ${code.data.code}`} />
          <p>Write its policy, then start it:</p>
          <Command text="tailroom-agent serve" />
        </>
      )}
      <Failed error={code.error} what="The code" />
      <Button variant="filled" size="xs" loading={code.isPending} onClick={() => code.mutate()}>
        {code.data === undefined ? "Make a code" : "Make another code"}
      </Button>
    </Section>
  );
}

function AgentTable({ agents }: { agents: readonly ServingAgent[] }) {
  const queries = useQueryClient();
  const now = useNow(serverNow, 5_000);
  const columns: Columns<ServingAgent> = [
    { header: "Agent", accessorKey: "name" },
    { header: "Machine", accessorFn: machineOf },
    {
      header: "Now",
      accessorFn: (agent) =>
        !agent.present ? (
          `away, last seen ${formatAgo(now - Date.parse(agent.seen_at))}`
        ) : agent.campaign_id === null ? (
          "idle"
        ) : (
          <Link to="/campaigns/$campaignId" params={{ campaignId: agent.campaign_id }}>
            {agent.campaign_title ?? "in a campaign"}
          </Link>
        ),
    },
    {
      header: "Clock error",
      accessorFn: (agent) => (
        <>
          {agent.clock_error_ns === null ? (
            <Unknown reason="not compared yet" />
          ) : (
            `±${formatLatency(agent.clock_error_ns, "up")}`
          )}
          <ClockOffsetWarning ahead_ns={agent.wall_clock_ahead_ns} />
        </>
      ),
      meta: RIGHT,
    },
    { header: "Version", accessorKey: "version" },
    { header: "Refused lately", accessorFn: (agent) => agent.refusals[0]?.sentence ?? "nothing" },
    {
      ...ACTIONS,
      accessorFn: (agent) => (
        <ConfirmButton
          label="Remove"
          name={`Remove ${agent.name}`}
          action={() => removeAgent(queries, agent.agent_id)}
          what="The agent"
          confirm="Remove the agent"
        >
          <p>It is refused from now on, and needs a new code to serve again. Its runs stay.</p>
        </ConfirmButton>
      ),
      meta: { className: "no-print" },
    },
  ];
  return <DataTable label="Agents, as a table" plain="cards" columns={columns} rows={agents} rowId="agent_id" />;
}

/** Warns that an agent's clock is minutes off, which shifts the hours of its policy but not the start of campaigns. */
function ClockOffsetWarning({ ahead_ns }: { ahead_ns: number | null }) {
  const clock = clockOffsetText(ahead_ns);
  if (clock === null) return null;
  return (
    <div className="name-cell" style={{ textAlign: "left", whiteSpace: "normal" }}>
      Its clock is {clock}. Campaigns begin by this installation's clock all the same; the hours of its policy follow
      its own. Set it right there.
    </div>
  );
}

const within = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (selected, name) =>
      typeof selected === "object" && selected !== null ? (selected as Record<string, unknown>)[name] : undefined,
    value,
  );

/** Returns host name, processor, memory and system of an agent, as far as its inventory names them. */
function machineOf({ inventory }: ServingAgent): string {
  const memory = within(inventory, "memory", "total_bytes");
  const parts = [
    within(inventory, "hostname"),
    within(inventory, "cpu", "model"),
    typeof memory === "number" ? formatBytes(memory) : undefined,
    within(inventory, "os", "name"),
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join(" · ");
}
