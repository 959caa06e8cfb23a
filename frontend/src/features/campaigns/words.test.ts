import { describe, expect, it } from "vitest";
import type { Campaign, CampaignAgent } from "@/api/campaigns";
import { stateOf, stepOf } from "./words";

const searching = (away: readonly string[], change: Partial<Campaign> = {}): Campaign =>
  ({
    state: "preparing",
    search: {},
    agents: [{}, {}],
    phases: [
      { name: "probe 1", state: "ended" },
      { name: "probe 2", state: "waiting" },
    ],
    waiting_for: { agents: away, since: "2026-11-29T10:04:00Z", until: "2026-11-29T10:14:00Z" },
    ...change,
  }) as unknown as Campaign;

const agent = (name: string): CampaignAgent =>
  ({ name, state: "offered", step: null, phase: null }) as unknown as CampaignAgent;

describe("a stopped campaign", () => {
  it("counts no phase that was cut off", () => {
    const phases = ["ended", "stopped", "skipped"].map((state) => ({ kind: "measure", state }));
    const stopped = { state: "ended", outcome: "stopped", reason: null, search: null, agents: [], phases };
    expect(stateOf(stopped as unknown as Campaign)).toBe("Stopped on request after 1 phase.");
  });
});

describe("a search that waits for a lost agent", () => {
  it("names the agent, the probe that is measured again, and the end", () => {
    expect(stateOf(searching(["west"]))).toMatch(
      /^Waiting for west until 29 Nov 2026.*\. Probe 2 is measured again once it is back, else the search ends then\.$/,
    );
    expect(stateOf(searching(["east", "west"]))).toContain("once they are back");
    expect(stateOf(searching([]))).toBe("Probe 2 is measured again: every agent is back.");
  });

  it("says of each agent whether it is back", () => {
    expect(stepOf(agent("west"), searching(["west"]))).toBe("away");
    expect(stepOf(agent("east"), searching(["west"]))).toBe("waiting for the others");
    expect(stepOf(agent("east"), searching([], { waiting_for: null }))).toBe("has not answered yet");
  });
});
