// Text for the state of a campaign, its phases and its agents.
import type { Campaign, CampaignAgent, CampaignPhase } from "@/api/campaigns";
import { formatMoment, formatRate, plural, sentence } from "@/lib/format";

/** Time that a search waits for a lost agent, in minutes. */
export const RETURN_WITHIN_MINUTES = 10;

export const presentAgents = (agents: Campaign["agents"]): Campaign["agents"] =>
  agents.filter(({ state }) => state !== "lost");

/** Returns the state of a campaign in a sentence. */
export function stateOf({ state, outcome, reason, phases, agents, search, waiting_for }: Campaign): string {
  const noun = search === null ? "phase" : "probe";
  if (state === "ended") {
    const measured = phases.filter(({ kind, state: of }) => kind === "measure" && of === "ended").length;
    const suffix = reason === null ? "" : ` ${reason}`;
    if (outcome === "completed") return `Completed: ${plural(measured, noun)} measured.${suffix}`;
    return outcome === "stopped" ? `Stopped on request after ${plural(measured, noun)}.` : `Failed. ${reason ?? ""}`;
  }
  if (waiting_for !== null) return waitingOf(waiting_for, phases);
  const running = phases.find(({ state: of }) => of === "running");
  const onAgents = plural(presentAgents(agents).length, "agent");
  if (state === "running" && running?.probe)
    return `${sentence(running.name)} at ${formatRate(running.probe.load_per_s)} on ${onAgents}.`;
  if (state === "running" && running !== undefined) return `Phase ${running.name} on ${onAgents}.`;
  return state === "loading" ? "Objects are loaded or checked." : "Waiting for the agents.";
}

function waitingOf({ agents, until }: NonNullable<Campaign["waiting_for"]>, phases: Campaign["phases"]): string {
  const again = phases.find(({ state }) => state === "waiting");
  const next = again === undefined ? "The search goes on" : `${sentence(again.name)} is measured again`;
  if (agents.length === 0) return `${next}: every agent is back.`;
  const pronoun = agents.length === 1 ? "it is" : "they are";
  return `Waiting for ${agents.join(", ")} until ${formatMoment(until)}. ${next} once ${pronoun} back, else the search ends then.`;
}

/** Returns whether a phase is over and has data: measured to its end, or cut off with the campaign. */
export const isOver = ({ state }: Pick<CampaignPhase, "state">): boolean => state === "ended" || state === "stopped";

export const PHASE_STATES: Record<CampaignPhase["state"], string> = {
  waiting: "waiting",
  running: "running",
  ended: "done",
  stopped: "cut off",
  skipped: "not needed",
};

const STEPS: Record<NonNullable<CampaignAgent["step"]>, string> = {
  preparing: "starting its job",
  ready: "ready",
  loading: "loading or checking objects",
  armed: "waiting for the start",
  running: "measuring",
  measured: "waiting for the counts of the others",
  ended: "done",
  failed: "failed",
};

export function stepOf(
  { name: agent, state, step, phase }: CampaignAgent,
  { phases, waiting_for }: Pick<Campaign, "phases" | "waiting_for">,
): string {
  if (waiting_for !== null) return waiting_for.agents.includes(agent) ? "away" : "waiting for the others";
  // An agent that refused has no job; the reason of a failed job is shown separately.
  if (state === "lost") return step === null ? "did not begin" : step === "failed" ? "failed" : "lost";
  if (state === "offered" || step === null) return "has not answered yet";
  const name = phase === null || step === "ended" ? undefined : phases[phase]?.name;
  return name === undefined ? STEPS[step] : `${STEPS[step]} (${name})`;
}
