import { describe, expect, it } from "vitest";
import type { Gain } from "@/api/comparisons";
import { effectText, figureText } from "./words";

const gain = (effect: Gain["effect"], why: string | null): Gain => ({ effect, why }) as Gain;

describe("figures of a comparison", () => {
  it("have their unit, and both ends where they differ", () => {
    expect(figureText("latency_p99_ns", 612e6, 640e6)).toBe("612–640\u00a0ms");
    expect(figureText("latency_p99_ns", 64e6, null)).toBe("over 64.0\u00a0ms");
    expect(figureText("throughput_ops_per_s", 59_400, 59_400)).toBe("59.4k\u00a0ops/s");
    expect(figureText("throughput_ops_per_s", 59_400, 61_000)).toBe("59.4k–61.0k\u00a0ops/s");
    expect(figureText("share_over_8_ms", 0.001, 0.002)).toMatch(/^0\.1\d*–0\.2\d*\s?%$/u);
  });

  it("say why nothing is shown", () => {
    expect(effectText(gain("worse", null))).toBe("worse, significant");
    expect(effectText(gain("open", null))).toBe("not shown");
    expect(effectText(gain("open", "too few operations"))).toBe("not shown: too few operations");
  });
});
