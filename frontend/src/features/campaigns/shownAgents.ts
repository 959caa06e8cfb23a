// Selection of the agents that a page lists: agents with trouble first, filtered by name.

export const SHOWN_AT_ONCE = 50;

type Named = { readonly name: string };
type Part = Named & { readonly state?: string; readonly reason?: string | null };

const hasTrouble = ({ state, reason }: Part): boolean => state === "lost" || (reason ?? null) !== null;

/** Returns the agents whose name contains the text, those with trouble first; each group in its present order. */
export function matchingAgents<Agent extends Part>(agents: readonly Agent[], text: string): readonly Agent[] {
  const sought = text.trim().toLowerCase();
  const matching = agents.filter(({ name }) => name.toLowerCase().includes(sought));
  return [...matching.filter(hasTrouble), ...matching.filter((agent) => !hasTrouble(agent))];
}

/** Returns the agents with distinct names: several of one name get the end of their id, as in `vm (…4f1a)`. */
export function withDistinctNames<Agent extends Named & { readonly agent_id: string }>(
  agents: readonly Agent[],
): Agent[] {
  const counts = new Map<string, number>();
  for (const { name } of agents) counts.set(name, (counts.get(name) ?? 0) + 1);
  return agents.map((agent) =>
    (counts.get(agent.name) ?? 0) > 1 ? { ...agent, name: `${agent.name} (…${agent.agent_id.slice(-4)})` } : agent,
  );
}

/** Returns the names of the given agents, and how many more there are of `count`. */
export function firstNames(agents: readonly Named[], count: number): string {
  const names = agents.map(({ name }) => name).join(", ");
  const more = count - agents.length;
  return more > 0 ? `${names} and ${more.toLocaleString("en")} more` : names;
}
