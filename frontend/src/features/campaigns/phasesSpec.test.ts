import { describe, expect, it } from "vitest";
import type { Timeline } from "@/api/types";
import { phasesSpec } from "./CampaignMachines";

const slice = (start_ns: number, p99: number) => ({
  start_ns,
  duration_ns: 10e9,
  p99_lower_ns: p99,
  p99_upper_ns: p99 + 1,
});
const timeline = (...percentiles: object[]) =>
  ({ series: [{ operation: "read", clock: "response", percentiles, ticks: { count: [1] } }] }) as unknown as Timeline;

describe("the p99 of a campaign's phases", () => {
  it("stands at each phase's own time, and nothing is drawn between two phases", () => {
    const phases = [
      { name: "P1", startNs: 20e9, timeline: timeline(slice(0, 2e6), slice(10e9, 3e6)) },
      { name: "P2", startNs: 60e9, timeline: timeline(slice(0, 9e6)) },
      { name: "P3", startNs: 90e9, timeline: undefined },
    ];
    const spec = phasesSpec(phases, { plannedNs: 100e9, live: false }, 100e9);
    expect(spec?.rows).toEqual([
      { x: 20e9, p99: null },
      { x: 25e9, p99: [2e6, 2e6 + 1] },
      { x: 35e9, p99: [3e6, 3e6 + 1] },
      { x: 40e9, p99: null },
      { x: 60e9, p99: null },
      { x: 65e9, p99: [9e6, 9e6 + 1] },
      { x: 70e9, p99: null },
    ]);
    expect(spec?.uprights?.map(({ label }) => label)).toEqual(["P1", "P2", "P3"]);
  });
});
