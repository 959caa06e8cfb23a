import { describe, expect, it } from "vitest";
import { curveSpec } from "./curves";

const point = (quantile: number, upper_ns: number | null) => ({ quantile, lower_ns: 1_000_000, upper_ns });

describe("the percentile curves of a comparison", () => {
  it("end at the last quantile with an upper bound", () => {
    const curve = [point(0.9, 8_000_000), point(0.9999, 64_000_000), point(0.999999, null), point(1 - 1e-10, null)];
    const spec = curveSpec({ operation: "read", subjects: [{ label: "A", curve }] }, "log");
    expect(spec.x.domain[1]).toBeCloseTo(4);
    expect(spec.rows).toHaveLength(2);
  });

  it("have all quantiles where none has an upper bound", () => {
    const spec = curveSpec({ operation: "read", subjects: [{ label: "A", curve: [point(0.9999, null)] }] }, "log");
    expect(spec.x.domain[1]).toBeCloseTo(4);
  });
});
