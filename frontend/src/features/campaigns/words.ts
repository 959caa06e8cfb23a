// How a campaign, its phases and its agents are put into words.
import type { Campaign, CampaignAgent, CampaignPhase } from "@/api/campaigns";
import { formatRate } from "@/lib/format";
import { opsPerSecond } from "@/lib/units";

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The answer of the page: how it stands, in one sentence. */
export function stateOf({ state, outcome, reason, phases, agents, search }: Campaign): string {
  const noun = search === null ? "phase" : "probe";
  if (state === "ended") {
    const measured = phases.filter(({ kind, state: of }) => kind === "measure" && of === "ended").length;
    const suffix = reason === null ? "" : ` ${reason}`;
    if (outcome === "completed") return `Completed: ${counted(measured, noun)} measured.${suffix}`;
    return outcome === "stopped" ? `Stopped on request after ${counted(measured, noun)}.` : `Failed. ${reason ?? ""}`;
  }
  const running = phases.find(({ state: of }) => of === "running");
  if (state === "running" && running?.probe)
    return `${capitalized(running.name)} at ${formatRate(opsPerSecond(running.probe.load_per_s))} on ${counted(agents.length, "agent")}.`;
  if (state === "running" && running !== undefined)
    return `Phase ${running.name} on ${counted(agents.length, "agent")}.`;
  return state === "loading" ? "Objects are loaded or checked." : "Waiting for the agents.";
}

export const PHASE_STATES: Record<CampaignPhase["state"], string> = {
  waiting: "waiting",
  running: "running",
  ended: "done",
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

export function stepOf({ state, step, phase }: CampaignAgent, phases: readonly CampaignPhase[]): string {
  // Who refused never had a job; whose job failed says why.
  if (state === "lost") return step === null ? "did not begin" : step === "failed" ? "failed" : "lost";
  if (state === "offered" || step === null) return "has not answered yet";
  const name = phase === null || step === "ended" ? undefined : phases[phase]?.name;
  return name === undefined ? STEPS[step] : `${STEPS[step]} (${name})`;
}
