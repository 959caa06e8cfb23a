import { describe, expect, it } from "vitest";
import { factGroups, factName } from "./RunFacts";

const flat = (groups: ReturnType<typeof factGroups>): Record<string, Record<string, string>> =>
  Object.fromEntries(
    groups.map((group) => [
      group.name,
      Object.fromEntries(group.facts.map((fact) => [fact.name, fact.text.replaceAll("\u00a0", " ")])),
    ]),
  );

describe("facts of a run", () => {
  it("write numbers by the unit in their name", () => {
    const plan = {
      duration_s: 30,
      act_storage: {
        file_size_bytes: 4294967296,
        record_bytes: 1536,
        limits_ns: [1_000_000, 64_000_000],
        direct_io: true,
        defrag_lwm_pct: 50,
        seed: null,
      },
    };
    expect(flat(factGroups("Plan", plan))).toEqual({
      Plan: { Duration: "30 s" },
      "Act storage": {
        "File size": "4 GiB",
        Record: "1.50 KiB",
        Limits: "1 ms, 64 ms",
        "Direct I/O": "yes",
        "Defragmentation low-water mark": "50 %",
        Seed: "not known",
      },
    });
  });

  it("number devices only when there are several", () => {
    const groups = factGroups("Host", {
      hostname: "a",
      block_devices: [{ name: "x" }, { name: "y" }],
      disks: [{ name: "z" }],
      none: [],
    });
    expect(flat(groups)).toEqual({
      Host: { Hostname: "a", None: "none" },
      "Block devices 1": { Name: "x" },
      "Block devices 2": { Name: "y" },
      Disks: { Name: "z" },
    });
  });

  it("name fields as words", () => {
    expect(factName("cores_per_socket")).toBe("Cores per socket");
    expect(factName("transactions_per_s")).toBe("Transactions");
    expect(factName("cpu")).toBe("CPU");
  });
});
