import { describe, expect, it } from "vitest";
import type { Heatmap } from "@/api/types";
import { haveCommonClock, sharedOf } from "./Heatmaps";

const mapOf = (toNs: number, lower: number, upper: number, count: number): Heatmap => ({
  run_id: "01a20557-697e-75a2-9fcd-eecc49404317",
  operation: "read",
  clock: "response",
  from_ns: 0,
  to_ns: toNs,
  rows: [{ lower_ns: lower, upper_ns: upper, count }],
  columns: [{ start_ns: 0, duration_ns: toNs, count, miss_count: 0, first_row: 0, counts: [count] }],
});
const FIRST = { map: mapOf(60e9, 1e6, 2e6, 10), startedAt: "2026-11-20T12:00:00Z" };
const SECOND = { map: mapOf(30e9, 4e6, 8e6, 1_000), startedAt: "2026-11-20T12:00:20Z" };

describe("heatmaps beside each other", () => {
  it("have one scale of colours and latencies, and begin together", () => {
    const { domain, most, extents } = sharedOf([FIRST, SECOND], false);
    expect(most).toBe(1_000);
    expect(domain[0]).toBeLessThan(1e6);
    expect(domain[1]).toBeGreaterThan(8e6);
    expect(extents).toStrictEqual([
      { fromNs: 0, toNs: 60e9 },
      { fromNs: 0, toNs: 60e9 },
    ]);
  });

  it("show the same clock time where that is wanted and known", () => {
    expect(sharedOf([FIRST, SECOND], true).extents).toStrictEqual([
      { fromNs: 0, toNs: 60e9 },
      { fromNs: -20e9, toNs: 40e9 },
    ]);
    expect(haveCommonClock([FIRST, SECOND])).toBe(true);
    expect(haveCommonClock([FIRST, { ...SECOND, startedAt: null }])).toBe(false);
    expect(haveCommonClock([FIRST, { ...SECOND, startedAt: "2026-12-20T12:00:20Z" }])).toBe(false);
  });
});
