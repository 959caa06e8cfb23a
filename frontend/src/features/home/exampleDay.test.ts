import { describe, expect, it } from "vitest";
import { runSummary } from "@/test/fixtures";
import { isExampleDay } from "./Home";

describe("the example of the first page", () => {
  const day = { simulated: true, measured_duration_ns: 86_400_000_000_000 };

  it("is a whole simulated day, not a short simulation", () => {
    expect(isExampleDay(runSummary(day))).toBe(true);
    expect(isExampleDay(runSummary({ ...day, measured_duration_ns: 20_000_000_000 }))).toBe(false);
    expect(isExampleDay(runSummary({ ...day, simulated: false }))).toBe(false);
    expect(isExampleDay(runSummary({ ...day, outcome: "stopped" }))).toBe(false);
  });
});
