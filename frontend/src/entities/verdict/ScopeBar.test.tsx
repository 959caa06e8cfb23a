import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import { ScopeBar } from "./ScopeBar";

/** Returns the labels of the scale for an objective, in order of their place. */
function labelsOf(objective: number): string[] {
  const scope = { verdict: "FAIL", lower: 0.14, upper: 0.83 } as const;
  const { container } = show(
    <ScopeBar observed={scope} proven={scope} objective={objective} more what="transactions in time" counted={false} />,
  );
  const labels = [...container.querySelectorAll<HTMLElement>('[style*="left"]')].filter(
    ({ textContent }) => textContent !== "",
  );
  return labels
    .sort((a, b) => Number.parseFloat(a.style.left) - Number.parseFloat(b.style.left))
    .map(({ textContent }) => (textContent ?? "").replaceAll("\u00a0", " "));
}

describe("the scale of two answers", () => {
  it("has a label at each tick that the share asked leaves room for", () => {
    expect(labelsOf(0.999)).toEqual(["0 %", "90 %", "99 %", "99.9 % asked", "99.99 %"]);
  });

  it("leaves out a tick that a long share would touch", () => {
    expect(labelsOf(0.999_999_99).slice(-2)).toEqual(["99.999 %", "99.999999 % asked"]);
  });
});
