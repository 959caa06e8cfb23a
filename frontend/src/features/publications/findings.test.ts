import { describe, expect, it } from "vitest";
import { recomputedByClaim } from "./ClaimTable";
import type { ClaimLike, TableLike } from "./claimTable";
import {
  auditSentence,
  calculatedText,
  countSeverities,
  type FigureLike,
  type FindingLike,
  figureTable,
  figureText,
  findingsByRow,
  rowsOf,
  sortFindings,
} from "./findings";

const plain = (text: string | undefined): string | undefined => text?.replaceAll("\u00a0", " ");

const finding = (id: string, change: Partial<FindingLike> = {}): FindingLike => ({
  id,
  check: "P1",
  check_title: "Operations in flight",
  severity: "medium",
  kind: "unequal load",
  statement: "They differ.",
  figures: [],
  claim_keys: [],
  origin: "computed",
  reference: null,
  ...change,
});

const figure = (label: string, value: number, unit = "count"): FigureLike => ({
  label,
  value,
  lower: value,
  upper: value,
  unit,
  as_printed: null,
});

const claim = (key: string): ClaimLike => ({
  key,
  quantity: "latency",
  statistic: null,
  threshold_ns: null,
  operation: null,
  workload: null,
  metric_class: null,
  config: null,
  load: null,
  conditions: {},
  printed: { as_printed: "1", unit_as_printed: "", value: 1, lower: 1, upper: 1, unit: "ns", comparison: "=" },
  position: 0,
  row: "",
  table: "t",
  subject: "A",
  item_slug: null,
});

const row = (name: string, ...keys: string[]) => ({
  row: name,
  label: name,
  subject: "A",
  item_slug: null,
  test_date_as_printed: null,
  claims: keys.map(claim),
});

const tables: TableLike[] = [
  { id: "t1", title: "One", title_as_printed: null, note: null, rows: [row("r1", "r1/a", "r1/b"), row("r2", "r2/a")] },
  { id: "t2", title: "Two", title_as_printed: null, note: null, rows: [row("r3", "r3/a")] },
];

describe("findings", () => {
  it("stand the gravest first, and calculated before noted ones", () => {
    const sorted = sortFindings([
      finding("a", { severity: "info" }),
      finding("b", { severity: "high", origin: "reviewed" }),
      finding("c", { severity: "high", check: "P12" }),
      finding("d", { severity: "high", check: "P4" }),
    ]);
    expect(sorted.map(({ id }) => id)).toStrictEqual(["d", "c", "b", "a"]);
  });

  it("are counted by severity, none left out and none made up", () => {
    const found = [finding("a", { severity: "high" }), finding("b", { severity: "info" }), finding("c")];
    expect(countSeverities(found)).toStrictEqual([
      { severity: "high", count: 1 },
      { severity: "medium", count: 1 },
      { severity: "info", count: 1 },
    ]);
    expect(auditSentence(found)).toBe("2 findings against it, 1 of them grave; 1 check found it consistent");
    expect(auditSentence([finding("a", { severity: "info" })])).toBe(
      "No finding against its numbers; 1 check found it consistent",
    );
    expect(auditSentence([])).toBe("No check of the product applies to its numbers");
  });

  it("lead to the rows of their claims, in the order of the document", () => {
    const both = finding("a", { claim_keys: ["r3/a", "r1/b", "gone"] });
    expect(rowsOf(both, tables).map((one) => one.row)).toStrictEqual(["r1", "r3"]);
    const byRow = findingsByRow([both, finding("b", { claim_keys: ["r1/a"] })], tables);
    expect(byRow.get("r1")?.map(({ id }) => id)).toStrictEqual(["a", "b"]);
    expect(byRow.has("r2")).toBe(false);
  });
});

describe("figures of a finding", () => {
  it("become a table where their labels make one", () => {
    const grid = figureTable([
      figure("A, new", 59.1),
      figure("A, old", 57.6),
      figure("B, new", 188),
      figure("B, old", 240),
    ]);
    expect(grid.columns).toStrictEqual(["new", "old"]);
    expect(grid.rows.map(({ label, cells }) => [label, ...cells.map((one) => one?.value)])).toStrictEqual([
      ["A", 59.1, 57.6],
      ["B", 188, 240],
    ]);
    expect(figureTable([figure("A, new", 1), figure("A, old", 2), figure("B, new", 3)]).columns).toStrictEqual([]);
    expect(figureTable([figure("used, all of it", 1)]).rows).toHaveLength(1);
  });

  it("never round a share up to all, and keep the digit that tells truncated from rounded", () => {
    expect(plain(calculatedText(0.999996, "ratio"))).toBe("99.9996 %");
    expect(plain(calculatedText(1.0274, "ratio"))).toBe("102.7 %");
    expect(plain(calculatedText(0.1411, "ratio"))).toBe("14.11 %");
    expect(plain(figureText(figure("in flight", 188.42)))).toBe("188");
    expect(plain(figureText(figure("rows", 37)))).toBe("37");
  });
});

describe("recomputed values", () => {
  const one = {
    claim_key: "k",
    label: "gain, recomputed",
    rests_on: ["a", "b"],
    value: 1.0274,
    lower: 1.0273,
    upper: 1.0275,
    unit: "ratio",
    agrees: true,
    how: "truncated",
  };

  it("stand below the printed number, and say how it came about", () => {
    const [gain] = recomputedByClaim([one]).get("k") ?? [];
    expect(plain(gain?.text)).toBe("recomputed 102.7 %, truncated");
    expect(gain?.differs).toBe(true);
    expect(gain?.meaning).toBe("gain, recomputed, from a and b; both can be one number");
  });

  it("say what contradicts, and what has no printed number beside it", () => {
    const found = recomputedByClaim([
      { ...one, label: "operations by throughput", unit: "s", value: 198.86, how: null, agrees: false },
      {
        ...one,
        label: "operations in flight (throughput × mean)",
        unit: "count",
        value: 59.09,
        how: null,
        agrees: null,
      },
    ]).get("k");
    expect(found?.map(({ text, differs }) => [plain(text), differs])).toStrictEqual([
      ["recomputed 199 s, differs", true],
      ["59.1 in flight", false],
    ]);
  });
});
