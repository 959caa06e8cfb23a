import { expect, test } from "vitest";
import { firstNames, matchingAgents, withDistinctNames } from "./shownAgents";

const agents = [
  { name: "bench-01", state: "active", reason: null },
  { name: "bench-02", state: "lost", reason: "not heard from" },
  { name: "shelf-02", state: "active", reason: "refused" },
];

test("agents with trouble come first, and a text finds names", () => {
  expect(matchingAgents(agents, "").map(({ name }) => name)).toEqual(["bench-02", "shelf-02", "bench-01"]);
  expect(matchingAgents(agents, " BENCH ").map(({ name }) => name)).toEqual(["bench-02", "bench-01"]);
});

test("of many agents the first are named, with the number of the others", () => {
  expect(firstNames(agents, 3)).toBe("bench-01, bench-02, shelf-02");
  expect(firstNames(agents, 1_000)).toBe("bench-01, bench-02, shelf-02 and 997 more");
});

test("agents of one name are told apart by their ids", () => {
  const named = ["vm", "bench", "vm"].map((name, at) => ({ name, agent_id: `01a2-000${at}` }));
  expect(withDistinctNames(named).map(({ name }) => name)).toEqual(["vm (…0000)", "bench", "vm (…0002)"]);
});
