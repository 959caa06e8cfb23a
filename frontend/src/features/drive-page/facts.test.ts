import { describe, expect, it } from "vitest";
import type { DriveFact } from "@/api/drivePage";
import { conditionsText, factName, groupFacts, scopeText, sourceOf } from "./facts";

const fact = (field: string, change: Partial<DriveFact> = {}): DriveFact => ({
  field,
  capacity_bytes: null,
  value: 1,
  value_text: null,
  unit: "count",
  as_printed: "1",
  lower: 1,
  upper: 1,
  conditions: {},
  source: null,
  disagrees: false,
  ...change,
});

describe("facts of a drive", () => {
  it("keep every source of a field, those that disagree among them", () => {
    const groups = groupFacts([
      fact("power"),
      fact("capacity", { value: 3.2e12, disagrees: true }),
      fact("interface"),
      fact("capacity", { value: 1.6e12, disagrees: true }),
      fact("made up"),
    ]);
    expect(groups.map(({ field, facts, disagrees }) => [field, facts.length, disagrees])).toStrictEqual([
      ["interface", 1, false],
      ["capacity", 2, true],
      ["power", 1, false],
      ["made up", 1, false],
    ]);
  });

  it("are named in words", () => {
    expect(factName("random_read")).toBe("Random reads");
    expect(factName("transfer_rate")).toBe("Transfer rate");
    expect(conditionsText({ years: 5, statistic: "typical", sustained: true, record_bytes: 4000, note: null })).toBe(
      "over 5 years, typical, sustained, record 4\u00a0kB",
    );
    expect(conditionsText(null)).toBe("");
  });

  it("hold for the capacities and conditions that are stated, and a capacity for itself", () => {
    expect(scopeText(fact("interface"))).toBe("all capacities");
    expect(scopeText(fact("dwpd", { capacity_bytes: 1.6e12, conditions: { years: 5 } }))).toBe(
      "1.6\u00a0TB · over 5 years",
    );
    expect(scopeText(fact("capacity", { value: 1.6e12 }))).toBe("");
  });

  it("lead to their source", () => {
    const titles = (slug: string) => `title of ${slug}`;
    expect(sourceOf({ publication: "brief", text: null }, titles)).toStrictEqual({
      kind: "publication",
      slug: "brief",
      row: null,
      text: "title of brief",
    });
    expect(sourceOf({ publication: null, text: "https://example.org/sheet" }, titles)).toMatchObject({
      kind: "text",
      url: "https://example.org/sheet",
    });
    expect(sourceOf({ publication: null, text: "javascript:alert(1)" }, titles)).toMatchObject({ url: null });
    expect(sourceOf(null, titles)).toMatchObject({ kind: "text", text: "not stated" });
  });
});
