import { describe, expect, it } from "vitest";
import { type LimitLike, limitText } from "./limits";

const row: LimitLike = {
  kind: "exceedance",
  operation: "read",
  clock: "response",
  threshold_ns: 1_000_000,
  quantity: null,
  limit: 0.05,
  value: 0.0271,
  value_lower: 0.02581,
  value_upper: 0.02839,
  verdict: "PASS",
  reason_text: null,
};
const words = (one: LimitLike): (string | undefined)[] =>
  Object.values(limitText(one)).map((text: string | null) => text?.replaceAll("\u00a0", " "));

describe("limits in words", () => {
  it("are of every kind, with bounds rounded outwards", () => {
    expect(words(row)).toEqual(["Read, response time: share over 1 ms", "< 5 %", "2.5–2.9 %"]);
    expect(words({ ...row, kind: "percentile", limit: 0.99, value_lower: 0.98123, value_upper: null })).toEqual([
      "Read, response time: share under 1 ms",
      "≥ 99 %",
      "98.1 % or more",
    ]);
    const rate = { ...row, kind: "throughput" as const, operation: null, clock: null, quantity: "network_bits_per_s" };
    expect(words({ ...rate, limit: 1e9, value_lower: 1.2345e9, value_upper: 1.2345e9 })).toEqual([
      "network transfer",
      "> 1.00Gbit/s",
      "1.23Gbit/s",
    ]);
    expect(limitText({ ...row, value: null, value_lower: null, value_upper: null }).measured).toBeNull();
  });

  it("show what the run shows, not what it proves, and never round over the limit", () => {
    const observed = { ...row, observed_lower: 0.0301, observed_upper: 0.0301, strength: "observed" as const };
    expect(words(observed)[2]).toBe("3 %");
    expect(words({ ...observed, observed_lower: 0.04996, observed_upper: 0.04996 })[2]).toBe("4.996 %");
  });
});
