import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Pair as ComparedPair, Comparison } from "@/api/comparisons";
import { show } from "@/test/render";
import { Pair } from "./Pair";

const subject = (label: string): Comparison["subjects"][number] => ({
  subject: `drive:${label}`,
  label,
  source: "drive",
  clock: "operation",
  operation: "read",
  counters: [],
  curve: [],
  measured_ns: null,
  samples: null,
  target_per_s: null,
});

const pair = (changes: Partial<ComparedPair> = {}): ComparedPair => ({
  changes: [],
  changes_text: null,
  comparable: true,
  factors: [],
  factors_text: null,
  facts_changed: [],
  gains: [],
  headline: "No change.",
  new: 1,
  notes: [],
  quantile_ratios: [],
  reasons: [],
  verdict: "no-change",
  ...changes,
});

function compared(changes: Partial<ComparedPair>): HTMLElement {
  const comparison = { subjects: [subject("One"), subject("Two")], pairs: [] } as unknown as Comparison;
  show(<Pair comparison={comparison} pair={pair(changes)} />);
  return screen.getByRole("region", { name: "Two against One" });
}

const conditions = (count: number): Partial<ComparedPair> => ({
  comparable: false,
  verdict: "not-comparable",
  headline: `Not comparable: ${count} conditions differ.`,
  reasons: Array.from({ length: count }, (_, index) => `Condition ${index + 1} differs.`),
  changes: ["Test Micron 9200 MAX 1.6 TB at 145x."],
  notes: ["The length of a test is not stated."],
});

describe("a pair that is not comparable", () => {
  it("shows three differing conditions at once", () => {
    const shown = within(compared(conditions(3)));
    const summary = shown.getByText("The 3 conditions that differ, and what would make them equal");
    expect(summary.closest("details")?.open).toBe(true);
    expect(shown.getByRole("note", { name: "Why these cannot be compared" }).textContent).toContain(
      "Condition 3 differs.",
    );
  });

  it("folds more than three behind their number", () => {
    const shown = within(compared(conditions(4)));
    const folded = shown.getByText("The 4 conditions that differ, and what would make them equal").closest("details");
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain("Condition 4 differs.");
    expect(folded?.textContent).toContain("Test Micron 9200 MAX 1.6 TB at 145x.");
  });

  it("folds figures that must not be compared, with their notes", () => {
    const folded = within(compared(conditions(1)))
      .getByText("What each measured, not comparable")
      .closest("details");
    expect(folded?.open).toBe(false);
    expect(folded?.textContent).toContain("The length of a test is not stated.");
  });
});

it("counts the changed facts as many as it lists", () => {
  const facts_changed = Array.from({ length: 56 }, (_, index) => ({
    name: `host.fact_${index}`,
    before: "",
    after: "x",
  }));
  const changes_text = "56 facts changed: no single one is shown to be the reason.";
  const shown = within(compared({ changes_text, facts_changed }));
  expect(shown.getByText(changes_text)).toBeTruthy();
  const folded = shown.getByText("56 facts of host, plan and tool that changed").closest("details");
  expect(folded?.querySelectorAll("tbody tr")).toHaveLength(56);
});
