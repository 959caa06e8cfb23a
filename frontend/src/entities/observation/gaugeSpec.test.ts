import { describe, expect, it } from "vitest";
import type { Efficiency, Gauges, Observation } from "@/api/observations";
import { tableOf } from "@/charts/spec";
import { gaugeSpecs } from "./gaugeSpec";
import { placeOf, wattsOf } from "./MachineObservations";

const gauges: Gauges = {
  step_s: 2,
  offset_ns: [0, 2e9],
  gauges: [
    { group: "disk", name: "busy", of: "sda", unit: "percent", mean: [10, null], greatest: [12, null] },
    { group: "disk", name: "busy", of: "sdb", unit: "percent", mean: [70, 71], greatest: [90, 72] },
    { group: "disk", name: "read", of: "sda", unit: "bytes/s", mean: [1e6, 2e6], greatest: [1e6, 3e6] },
    { group: "disk", name: "read", of: "sdc", unit: "bytes/s", mean: [null, null], greatest: [null, null] },
  ],
};

describe("a picture of gauges", () => {
  it("is one for each unit on the run's axis, the largest gauge first, unknown left out", () => {
    const specs = gaugeSpecs(gauges, "db-1", { plannedNs: 4e9, live: false }, 4e9);
    expect(specs.map(({ title }) => title)).toEqual(["Disks of db-1, %", "Disks of db-1, bytes per second"]);
    const [busy, read] = specs;
    expect(busy?.x.domain).toEqual([0, 4e9]);
    expect(busy?.series.map(({ label }) => label)).toEqual(["sdb busy", "sda busy"]);
    expect(read?.series).toHaveLength(1);
    if (busy === undefined) throw new Error("no picture");
    expect(tableOf(busy, busy.series)).toEqual({
      header: [
        "time_since_start_s",
        "sdb_busy_percent",
        "sdb_busy_percent_greatest",
        "sda_busy_percent",
        "sda_busy_percent_greatest",
      ],
      rows: [
        [1, 70, 90, 10, 12],
        [3, 71, 72, null, null],
      ],
    });
  });
});

describe("the words beside it", () => {
  const observation = { clock_error_ns: 400_000, seconds: 90, is_live: false } as Observation;

  it("say how well its seconds lie on the axis", () => {
    const plain = placeOf(observation, true).replaceAll("\u00a0", " ");
    expect(plain).toBe("1 min 30 s observed, placed within 400 µs.");
    expect(placeOf(observation, false)).toContain("the run began by its agent's own clock");
    expect(placeOf({ ...observation, clock_error_ns: null }, true)).toContain("its error is not known");
  });

  it("say of what the watts are and how they were read", () => {
    const row = { gauge: "sensor", of: ["pmbus power1"], seconds: 30 } as Efficiency;
    expect(wattsOf(row)).toBe("pmbus power1 (mean of 30 readings, one a second)");
    expect(wattsOf({ ...row, gauge: "processors", of: ["package-0", "package-1"] })).toBe(
      "package-0 + package-1 (mean of 30\u00a0s, from counters of energy)",
    );
  });
});
