import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { AnswerStage } from "./AnswerStage";
import type { LimitLike } from "./limits";

const limit = (threshold_ns: number, asked: number, share: number): LimitLike => ({
  kind: "exceedance",
  operation: "read",
  clock: "response",
  threshold_ns,
  limit: asked,
  value: share,
  value_lower: share / 10,
  value_upper: share * 5,
  observed_lower: share,
  observed_upper: share,
  verdict: "PASS",
});

function showAnswer(shareInRun: number): void {
  show(
    <AnswerStage
      name="Answer"
      kind="exceedance"
      answer={{
        verdict: "PASS",
        strength: "observed",
        reason: null,
        reason_text: null,
        decided_by: null,
        headline: {
          text: "0.92 % take 1 ms",
          lower: 0.0092,
          upper: 0.0092,
          asked: 0.05,
          unit: "ratio",
          basis: "counted",
        },
        observed: { verdict: "PASS", lower: shareInRun, upper: shareInRun },
        proven: { verdict: "INDETERMINATE", lower: 0.0002, upper: 0.012 },
        rows: [limit(1e6, 0.05, 0.0092), limit(8e6, 0.01, 0.0026)],
      }}
      fact={null}
      closedLoop={false}
      room={null}
      what="reads of 1 ms or longer"
    />,
  );
}

it("states beside both scopes the limit whose share they are", () => {
  showAnswer(0.0026 + 1e-17);
  const strip = screen.getByRole("region", { name: /^Two answers/ });
  expect(strip.textContent?.replaceAll("\u00a0", " ")).toContain("< 1 % asked");
  expect(strip.textContent?.replaceAll("\u00a0", " ")).toContain("reads of 8 ms or longer");
});

it("draws no scopes whose share belongs to no limit", () => {
  showAnswer(0.5);
  expect(screen.queryByRole("region", { name: /^Two answers/ })).toBeNull();
});
