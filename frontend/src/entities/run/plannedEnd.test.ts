import { expect, it } from "vitest";
import { plannedEnd } from "./words";

it("says when a run is to end: after a number of operations, or after a time", () => {
  const week_ns = 604_800_000_000_000;
  expect(plannedEnd({ planned_operations: 2_000, planned_duration_ns: week_ns })).toBe("2,000 operations");
  expect(plannedEnd({ planned_operations: null, planned_duration_ns: 30_000_000_000 })).toMatch(/^30\ss$/);
});
