import { describe, expect, it } from "vitest";
import type { Campaign, CampaignPhase } from "@/api/campaigns";
import { pairsOf } from "./PreviousCampaign";
import { TEMPLATES } from "./templates";

const phase = (number: number, name: string, run_id: string | null, kind: CampaignPhase["kind"] = "measure") =>
  ({ number, name, kind, run_id }) as CampaignPhase;
const campaign = (...phases: CampaignPhase[]) => ({ phases }) as Campaign;

describe("a repeated campaign", () => {
  it("sets each measured phase beside the same one of the last time", () => {
    const last = campaign(phase(0, "load", "a", "load"), phase(1, "P1", "b"), phase(2, "P2", null));
    const now = campaign(phase(0, "load", "c", "load"), phase(1, "P1", "d"), phase(2, "P2", "e"), phase(3, "P3", "f"));
    expect(pairsOf(last, now)).toEqual([{ name: "P1", runId: "d", subjects: ["run:b", "run:d"] }]);
  });
});

describe("templates", () => {
  it("are the ladders and the workloads of YCSB that several agents can run", () => {
    expect(Object.values(TEMPLATES).map(({ label }) => label)).toEqual([
      "Fraud ladder",
      "YCSB suite: A, B, C, F and D",
      "YCSB A: half reads, half updates",
      "YCSB B: 95\u00a0% reads",
      "YCSB C: reads alone",
      "YCSB D: 95\u00a0% reads of the latest, inserts",
      "YCSB E: short scans, inserts",
      "YCSB F: read, change, write back",
      "Key-value, 80\u00a0% reads",
      "Drive ladder, reads alone",
      "Synchronous writes: fast enough for etcd, PostgreSQL?",
    ]);
    expect(TEMPLATES.ycsbF.plan).toContain("readmodifywriteproportion=0.5");
  });
});
