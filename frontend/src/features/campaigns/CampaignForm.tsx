// A campaign to begin: template or plan, server, agents, and what becomes of it when one is lost.
import { Button, Checkbox, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { agentsQuery, beginCampaign, type ServingAgent } from "@/api/campaigns";
import { farApart } from "@/lib/farApart";
import { Failed } from "@/ui/states";
import { submits } from "@/ui/submits";
import classes from "./campaigns.module.css";
import { LOCAL_TARGETS, targetFor } from "./localTargets";
import { SearchFields } from "./SearchFields";
import { type SearchDraft, searchOf } from "./search";
import { TEMPLATES, type TemplateName } from "./templates";

const NAMES = Object.keys(TEMPLATES) as TemplateName[];
/** The API takes no more. */
const MOST_OBJECTIVES = 8;
const ON_LOST = [
  { value: "end", label: "End the campaign" },
  { value: "degrade", label: "Continue with the others" },
] as const;

export function CampaignForm() {
  const titleId = useId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const agents = useQuery(agentsQuery()).data?.agents ?? [];
  const [template, setTemplate] = useState<TemplateName>("fraud");
  const [title, setTitle] = useState<string>(TEMPLATES.fraud.label);
  const [plan, setPlan] = useState<string>(TEMPLATES.fraud.plan);
  const [target, setTarget] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [onLost, setOnLost] = useState<"end" | "degrade">("end");
  const [objectives, setObjectives] = useState<string[]>([]);
  const [search, setSearch] = useState<SearchDraft | null>(null);
  const begin = useMutation({
    mutationFn: () =>
      beginCampaign(queries, {
        ...{ title, plan, target, agents: [...chosen], objectives, seed: 1 },
        // The others have only parts of the loads of a search.
        on_lost: search === null ? onLost : "end",
        search: searchOf(search),
      }),
    onSuccess: ({ campaign_id }) =>
      void navigate({ to: "/campaigns/$campaignId", params: { campaignId: campaign_id } }),
  });
  const choose = (name: TemplateName) => {
    setTemplate(name);
    setTitle(TEMPLATES[name].label.replaceAll("\u00a0", " "));
    setPlan(TEMPLATES[name].plan);
    setTarget(targetFor(name, target));
    if (name in LOCAL_TARGETS) setSearch(null);
  };
  return (
    <form
      className={`${classes["form"]} panel no-print`}
      aria-labelledby={titleId}
      onSubmit={submits(() => begin.mutate())}
    >
      <h2 id={titleId}>Begin a campaign</h2>
      <div className={classes["fields"]}>
        <Select
          label="Template"
          data={NAMES.map((value) => ({ value, label: TEMPLATES[value].label }))}
          value={template}
          allowDeselect={false}
          onChange={(value) => value !== null && choose(value)}
        />
        <TextInput
          label="Title"
          required
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TextInput
          label="Server"
          description={LOCAL_TARGETS[template]?.description ?? "As every agent reaches it, without a password"}
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="redis://10.0.0.5:6379"
          required
          maxLength={200}
          value={target}
          onChange={(event) => setTarget(event.currentTarget.value)}
        />
        <Select
          label="When an agent is lost"
          data={[...ON_LOST]}
          value={search === null ? onLost : "end"}
          disabled={search !== null}
          allowDeselect={false}
          onChange={(value) => value !== null && setOnLost(value)}
        />
        <TagsInput
          label="Objectives"
          description="Each phase is judged by them, such as p99 get < 10ms"
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxTags={MOST_OBJECTIVES}
          acceptValueOnBlur
          value={objectives}
          onChange={setObjectives}
        />
      </div>
      {template in LOCAL_TARGETS ? null : <SearchFields draft={search} onChange={setSearch} />}
      <Textarea
        className={classes["plan"] ?? ""}
        label="Plan"
        autosize
        minRows={8}
        maxRows={24}
        required
        value={plan}
        onChange={(event) => setPlan(event.currentTarget.value)}
      />
      <Checkbox.Group
        label="Agents"
        description={LOCAL_TARGETS[template]?.agents ?? "The first one loads the objects."}
        value={[...chosen]}
        onChange={setChosen}
      >
        <div className={classes["agents"]}>
          {agents.length === 0 ? (
            <p>
              No agent is enrolled. <Link to="/agents">Add one</Link>.
            </p>
          ) : (
            agents.map((agent) => <AgentChoice key={agent.agent_id} agent={agent} />)
          )}
        </div>
      </Checkbox.Group>
      {begin.error === null ? null : <Failed error={begin.error} what="The campaign" />}
      <div className={classes["actions"]}>
        <Button type="submit" loading={begin.isPending} disabled={chosen.length === 0}>
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

function AgentChoice({ agent }: { agent: ServingAgent }) {
  const why = !agent.present
    ? " (away)"
    : agent.campaign_id === null
      ? ""
      : ` (works for ${agent.campaign_title ?? ""})`;
  const clock = farApart(agent.wall_clock_ahead_ns);
  return (
    <Checkbox
      value={agent.agent_id}
      label={`${agent.name}${why}`}
      description={clock === null ? undefined : `Its clock is ${clock}. The campaign begins by this installation's.`}
      disabled={why !== ""}
    />
  );
}
