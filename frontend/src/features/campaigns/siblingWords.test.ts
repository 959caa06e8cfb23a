import { expect, test } from "vitest";
import type { SiblingUnit } from "@/api/campaigns";
import { deviationText, isOutlier, largestOf } from "./Siblings";

const deviation = (label: string, ratio: number | null, effect: SiblingUnit["effect"]) => ({
  quantity: label,
  label,
  value: 1,
  siblings: 1,
  ratio,
  ratio_lower: ratio === null ? null : ratio * 0.99,
  ratio_upper: ratio === null ? null : ratio * 1.01,
  effect,
});

const unit = (effect: SiblingUnit["effect"], ...deviations: SiblingUnit["deviations"]): SiblingUnit => ({
  name: "bench-01 /dev/sda",
  agent: "bench-01",
  device: "/dev/sda",
  run_id: "0",
  measured_ns: 1,
  effect,
  reason: "",
  deviations,
  causes: [],
});

test("the largest difference is one that stands out, in either direction", () => {
  const slow = unit(
    "worse",
    deviation("p50", 1.02, "same"),
    deviation("p99.9", 1.5, "same"),
    deviation("mean", 1.05, "worse"),
    deviation("throughput", 0.9, "worse"),
  );
  expect(largestOf(slow)?.label).toBe("throughput");
  expect(largestOf(unit("same", deviation("p50", 0.98, "same"), deviation("p99", 1.001, "same")))?.label).toBe("p50");
  expect(largestOf(unit("open"))).toBeUndefined();
  expect([isOutlier(slow), isOutlier(unit("open"))]).toEqual([true, false]);
});

test("a difference has both its limits, or says that the siblings have none", () => {
  expect(deviationText(deviation("p99", 1.2, "worse"))).toBe("p99: 1.188 to 1.212 times its siblings");
  expect(deviationText(deviation("failed", null, "worse"))).toBe("failed: its siblings have none");
});
