// Form that begins a campaign: template or plan, server, agents, and the reaction to a lost agent.
import { Button, Checkbox, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import * as z from "zod/mini";
import { agentsQuery, beginCampaign, type ServingAgent } from "@/api/campaigns";
import { clockOffsetText } from "@/lib/clockOffset";
import { plural } from "@/lib/format";
import { Failed } from "@/ui/states";
import { OF_SERVERS, type SearchDraft, SearchFields, type SearchSubject, searchOf } from "./SearchFields";
import { matchingAgents, SHOWN_AT_ONCE, withDistinctNames } from "./shownAgents";
import { TEMPLATES, type TemplateName } from "./templates";
import { RETURN_WITHIN_MINUTES } from "./words";

const NAMES = Object.keys(TEMPLATES) as TemplateName[];
/** Highest number of objectives that the API accepts. */
const MOST_OBJECTIVES = 8;
const ON_LOST = [
  { value: "end", label: "End the campaign" },
  { value: "degrade", label: "Continue with the others" },
];
const ON_LOST_SEARCHING = [{ value: "end", label: `Wait ${RETURN_WITHIN_MINUTES} minutes for it` }];

const stated = z.string().check(z.trim(), z.minLength(1, "Fill this in."));
const SCHEMA = z.object({
  title: stated,
  plan: stated,
  target: stated,
  agents: z.array(z.string()).check(z.minLength(1, "Choose at least one agent.")),
  objectives: z.array(z.string()).check(z.maxLength(MOST_OBJECTIVES)),
});
const FIRST = {
  template: "fraud" as TemplateName,
  title: TEMPLATES.fraud.label as string,
  plan: TEMPLATES.fraud.plan as string,
  target: "",
  agents: [] as string[],
  on_lost: "end" as "end" | "degrade",
  objectives: [] as string[],
  search: null as SearchDraft | null,
};

export function CampaignForm() {
  const titleId = useId();
  const navigate = useNavigate();
  const agents = withDistinctNames(useQuery(agentsQuery()).data?.agents ?? []);
  const [text, setText] = useState("");
  const form = useForm({ initialValues: FIRST, validate: schemaResolver(SCHEMA, { sync: true }) });
  const { template, target, search } = form.values;
  const searched = searchSubjectOf(template);
  const begin = useMutation({
    mutationFn: ({ template: _, ...values }: typeof FIRST, { client }) =>
      beginCampaign(client, {
        ...values,
        seed: 1,
        // A search needs all agents, because each generates a part of every load.
        on_lost: values.search === null ? values.on_lost : "end",
        search: searchOf(values.search),
      }),
    onSuccess: ({ campaign_id }) =>
      void navigate({ to: "/campaigns/$campaignId", params: { campaignId: campaign_id } }),
  });
  const choose = (name: TemplateName) => {
    form.setValues({
      template: name,
      title: TEMPLATES[name].label.replaceAll("\u00a0", " "),
      plan: TEMPLATES[name].plan,
      target: targetFor(name, target),
      // Runs on each agent's own machine are independent, so the others can continue.
      on_lost: LOCAL_TARGETS[name] === undefined ? "end" : "degrade",
      search: searchSubjectOf(name) === searched ? search : null,
    });
  };
  return (
    <form
      className="stack-12 panel no-print"
      aria-labelledby={titleId}
      onSubmit={form.onSubmit((values) => begin.mutate(values))}
    >
      <h2 id={titleId}>Begin a campaign</h2>
      <div className="fields">
        <Select
          label="Template"
          data={NAMES.map((value) => ({ value, label: TEMPLATES[value].label }))}
          value={template}
          onChange={(value) => value !== null && choose(value)}
        />
        <TextInput label="Title" required withAsterisk maxLength={200} {...form.getInputProps("title")} />
        <TextInput
          label="Server"
          description={LOCAL_TARGETS[template]?.description ?? "As every agent reaches it, without a password"}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="redis://10.0.0.5:6379"
          required
          withAsterisk
          maxLength={200}
          {...form.getInputProps("target")}
        />
        <Select
          label="When an agent is lost"
          data={search === null ? ON_LOST : ON_LOST_SEARCHING}
          disabled={search !== null}
          {...form.getInputProps("on_lost")}
          {...(search === null ? {} : { value: "end" })}
        />
        <TagsInput
          label="Objectives"
          description="Each phase is judged by them, such as p99 get < 10ms"
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxTags={MOST_OBJECTIVES}
          acceptValueOnBlur
          {...form.getInputProps("objectives")}
        />
      </div>
      {searched === null ? null : <SearchFields subject={searched} form={form} />}
      <Textarea
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        label="Plan"
        autosize
        minRows={8}
        maxRows={24}
        required
        {...form.getInputProps("plan")}
      />
      <Checkbox.Group
        label="Agents"
        description={LOCAL_TARGETS[template]?.agents ?? "Each loads its part of the objects."}
        {...form.getInputProps("agents")}
      >
        <div className="stack-8">
          {agents.length === 0 ? (
            <p>
              No agent is enrolled. <Link to="/agents">Add one</Link>.
            </p>
          ) : (
            <>
              {agents.length <= SHOWN_AT_ONCE ? null : (
                <AgentFilter
                  agents={agents}
                  text={text}
                  onText={setText}
                  chosen={form.values.agents}
                  onChoose={(ids) => form.setFieldValue("agents", ids)}
                />
              )}
              {matchingAgents(agents, text)
                .slice(0, SHOWN_AT_ONCE)
                .map((agent) => (
                  <AgentChoice key={agent.agent_id} agent={agent} />
                ))}
            </>
          )}
        </div>
      </Checkbox.Group>
      <Failed error={begin.error} what="The campaign" />
      <div className="row">
        <Button variant="filled" type="submit" loading={begin.isPending}>
          Begin
        </Button>
        <span className="dim">
          Nothing that overwrites a drive begins from here; on its machine:{" "}
          <code>tailroom-agent act --ladder --load 1x</code>.
        </span>
        <span className="dim">Each agent first checks plan and server against the policy of its machine.</span>
      </div>
    </form>
  );
}

type AgentFilterProps = {
  agents: readonly ServingAgent[];
  text: string;
  onText: (text: string) => void;
  chosen: readonly string[];
  onChoose: (agentIds: string[]) => void;
};

/** Filters many agents by name, and chooses all free matches at once. */
function AgentFilter({ agents, text, onText, chosen, onChoose }: AgentFilterProps) {
  const matching = matchingAgents(agents, text);
  const free = matching.filter(({ present, campaign_id }) => present && campaign_id === null);
  const ids = free.map(({ agent_id }) => agent_id);
  return (
    <>
      <TextInput
        label="Agents whose name contains"
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      <div className="row">
        <Button onClick={() => onChoose([...new Set([...chosen, ...ids])])}>
          Choose {plural(ids.length, "free agent")}
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => onChoose([])}>
          Choose none
        </Button>
        <span className="dim">
          {chosen.length} chosen; {Math.min(matching.length, SHOWN_AT_ONCE)} of {plural(agents.length, "agent")} shown.
        </span>
      </div>
    </>
  );
}

function AgentChoice({ agent }: { agent: ServingAgent }) {
  const why = !agent.present
    ? " (away)"
    : agent.campaign_id === null
      ? ""
      : ` (works for ${agent.campaign_title ?? ""})`;
  const clock = clockOffsetText(agent.wall_clock_ahead_ns);
  return (
    <Checkbox
      value={agent.agent_id}
      label={`${agent.name}${why}`}
      description={clock === null ? undefined : `Its clock is ${clock}. The campaign begins by this installation's.`}
      disabled={why !== ""}
    />
  );
}

type LocalTarget = {
  readonly target: string;
  readonly description: string;
  readonly agents: string;
  /** Explanations of the search fields; null if the plan has no rate to search for. */
  readonly search: SearchSubject | null;
};

/** Targets of the templates whose agents measure the devices listed in their own policies instead of a server. */
const LOCAL_TARGETS: { readonly [Name in TemplateName]?: LocalTarget } = {
  drives: {
    target: "drives:",
    description: "drives: reads all that each agent's policy lists",
    agents: "Each reads its own drives.",
    search: {
      example: "p99.9 read < 2ms",
      hasPhases: false,
      start: "Else the first of the plan. ACT's load of 1x is 2,000",
      top: "Of the one drive that is read, by one agent; no load is higher",
    },
  },
  syncWrites: {
    target: "folders:",
    description: "folders: writes a file of 64\u00a0MiB in the folder that each agent's policy lists",
    agents: "Each writes to its own drive.",
    search: null,
  },
};

/** Returns the explanations of the search fields for a template; null if the template supports no search. */
function searchSubjectOf(template: TemplateName): SearchSubject | null {
  const local = LOCAL_TARGETS[template];
  return local === undefined ? OF_SERVERS : local.search;
}

/** Returns the server field after a change of template: the template's local target, or the typed server. */
function targetFor(template: TemplateName, target: string): string {
  const isLocal = Object.values(LOCAL_TARGETS).some((local) => target.startsWith(local.target));
  return LOCAL_TARGETS[template]?.target ?? (isLocal ? "" : target);
}
