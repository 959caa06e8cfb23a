// Answer of a campaign in one sentence: its verdicts, otherwise its latency, otherwise its state.
import type { Campaign } from "@/api/campaigns";
import { plainSentence, type Sentence } from "@/entities/verdict/answer";
import { formatLatency, formatRate, plural } from "@/lib/format";
import { leadingOperations, nounOf } from "./phaseRows";
import type { AgentFigures } from "./useAgentFigures";
import type { OwnVerdicts, PhaseResult } from "./usePhaseResults";
import { isOver, presentAgents, stateOf } from "./words";

export type CampaignAnswer = {
  readonly sentence: Sentence;
  readonly reason: string | null;
  /** Result of the phase that the sentence is about; null if it is about several phases or none. */
  readonly result: PhaseResult | null;
};

/** Returns an answer that is a sentence alone. */
const stated = (sentence: Sentence): CampaignAnswer => ({ sentence, reason: null, result: null });

const within = (noun: string, upperNs: number, after: string): Sentence => ({
  before: `99 of 100 ${noun} end within `,
  key: formatLatency(upperNs, "up"),
  after,
});

const CLOCKS: Record<string, string> = {
  response: "Response time, counted from the schedule.",
  service: "Service time: waiting for a turn is not in it.",
};

/** Returns the results of measured phases that have a p99. */
const measuredOf = (results: readonly PhaseResult[]): PhaseResult[] =>
  results.filter(({ phase, rows }) => phase.kind === "measure" && rows.some(({ p99 }) => p99 !== null));

export function answerOf(
  campaign: Campaign,
  results: readonly PhaseResult[],
  agents: ReadonlyMap<string, AgentFigures>,
  ownVerdicts: OwnVerdicts,
): CampaignAnswer {
  // A search has its own panel, which shows its answer.
  if (campaign.search !== null) return stated(plainSentence(stateOf(campaign)));
  if (campaign.state === "running") return liveAnswer(campaign, agents);
  const measured = measuredOf(results);
  const [only] = measured;
  if (campaign.state !== "ended" || only === undefined)
    return stated(
      (campaign.state === "ended" && answerOfRuns(campaign, ownVerdicts)) || plainSentence(stateOf(campaign)),
    );
  const phases = campaign.phases.filter((phase) => phase.kind === "measure" && isOver(phase));
  if (phases.length === 1) return { ...speedOf(only), result: only };
  const judged = measured.filter(({ run }) => (run?.verdicts.length ?? 0) > 0);
  if (judged.length > 0) return answerOfResults(judged, phases);
  const last = measured.at(-1) ?? only;
  const { sentence, reason } = speedOf(last);
  return { sentence: { ...sentence, before: `In ${last.phase.name}, ${sentence.before}` }, reason, result: last };
}

/** Returns the answer while the campaign runs: a bound that every agent meets holds for all agents together. */
function liveAnswer(campaign: Campaign, agents: ReadonlyMap<string, AgentFigures>): CampaignAnswer {
  const present = presentAgents(campaign.agents);
  const figures = present.flatMap(({ agent_id }) => agents.get(agent_id) ?? []);
  if (present.length === 0 || figures.filter(({ p99Ns }) => p99Ns !== null).length < present.length)
    return stated(plainSentence(stateOf(campaign)));
  // What a lost agent measured stays in the result, but it generates no load any more.
  const uppers = [...agents.values()].flatMap(({ p99Ns }) => p99Ns ?? []);
  const rate = figures.reduce((sum, figure) => sum + figure.rate, 0);
  return {
    sentence: within(figures[0]?.noun ?? "operations", Math.max(...uppers), " so far."),
    reason: `${formatRate(rate)} by ${plural(present.length, "agent")}.`,
    result: null,
  };
}

/** Returns how many of the phases pass, and names the others: some may have no result yet, or never. */
function answerOfResults(judged: readonly PhaseResult[], phases: Campaign["phases"]): CampaignAnswer {
  const verdicts = new Map(judged.map(({ phase, run }) => [phase.name, run?.verdicts[0]?.verdict]));
  const group = (verdict?: string): Group => {
    const names = phases.flatMap(({ name }) => (verdicts.get(name) === verdict ? name : []));
    return { text: names.join(", "), count: names.length };
  };
  const passed = group("PASS").count;
  return stated(passesOf("phases", passed, phases.length, group("FAIL"), group("INDETERMINATE"), group()));
}

/** Results with the same verdict: their names or their number as text, and their number. */
type Group = { readonly text: string; readonly count: number };

const NONE: Group = { text: "", count: 0 };

/** Returns how many of all phases or runs pass, and what the others do: `1 of 3 runs passes; 2 fail.` */
function passesOf(noun: string, passed: number, all: number, failed: Group, open: Group, unjudged = NONE): Sentence {
  const clause = ({ text, count }: Group, one: string, many: string) =>
    count === 0 ? [] : [`${text} ${count === 1 ? one : many}`];
  const clauses = [
    `${noun} ${passed === 1 ? "passes" : "pass"}`,
    ...clause(failed, "fails", "fail"),
    ...clause(open, "is undecided", "are undecided"),
    ...clause(unjudged, "has no verdict", "have no verdict"),
  ];
  return { before: "", key: `${passed} of ${all}`, after: ` ${clauses.join("; ")}.` };
}

/** Returns how many runs of single agents pass by all objectives, without objectives by their first verdict; null while
 * one has no verdict. */
function answerOfRuns({ objectives }: Campaign, ownVerdicts: OwnVerdicts): Sentence | null {
  const verdicts = [...ownVerdicts.values()].map((all) => all.slice(0, Math.max(1, objectives.length)));
  if (verdicts.length === 0 || verdicts.some((all) => all.length === 0)) return null;
  const passed = verdicts.filter((all) => all.every(({ verdict }) => verdict === "PASS")).length;
  const failed = verdicts.filter((all) => all.some(({ verdict }) => verdict === "FAIL")).length;
  const group = (count: number): Group => ({ text: String(count), count });
  return passesOf("runs", passed, verdicts.length, group(failed), group(verdicts.length - passed - failed));
}

/** Returns rate and p99 of the transactions; without transactions those of all operations, with their largest bound. */
function speedOf({ phase, rows }: PhaseResult): Pick<CampaignAnswer, "sentence" | "reason"> {
  const shown = leadingOperations(
    phase,
    rows.filter(({ p99 }) => p99 !== null),
  );
  const uppers = shown.map(({ p99 }) => p99?.upper ?? null);
  const bounded = uppers.filter((upper) => upper !== null);
  const achieved = shown.reduce((sum, row) => sum + (row.achieved ?? 0), 0);
  const target = shown.reduce<number | null>(
    (sum, row) => (sum === null || row.target == null ? null : sum + row.target),
    0,
  );
  const rate = `${formatRate(achieved)}${target === null ? "" : ` of ${formatRate(target)} asked`}`;
  return {
    sentence:
      bounded.length < uppers.length
        ? plainSentence(`${rate}; the slowest are beyond what was recorded.`)
        : within(nounOf(shown), Math.max(...bounded), "."),
    reason: `${rate}, by ${plural(phase.merged.length, "agent")}. ${CLOCKS[shown[0]?.clock ?? ""] ?? ""}`.trim(),
  };
}
