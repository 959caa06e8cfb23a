import { describe, expect, it } from "vitest";
import { operationsUntilEnd, plannedEnd } from "./plannedEnd";

const week_ns = 604_800_000_000_000;

describe("when a run is to end", () => {
  it("is a number of operations where the plan of its phase says so", () => {
    const plan = { phase: { duration_s: null, operations: 2_000 } };
    expect(operationsUntilEnd(plan)).toBe(2_000);
    expect(plannedEnd({ plan, planned_duration_ns: week_ns })).toBe("2,000 operations");
  });

  it("is a time everywhere else", () => {
    for (const plan of [{}, { phase: { duration_s: 2, operations: 2_000 } }, { phase: "P1" }, { phase: null }]) {
      expect(operationsUntilEnd(plan)).toBeNull();
      expect(plannedEnd({ plan, planned_duration_ns: 30_000_000_000 })).toMatch(/^30\ss$/);
    }
  });
});
