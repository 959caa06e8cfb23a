import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { RunFinding } from "@/api/types";
import { show } from "@/test/render";
import { AuditSection, auditSentence, checkCount, figureText } from "./Audit";

const finding = (change: Partial<RunFinding> = {}): RunFinding => ({
  id: "run-0",
  check: "P3",
  check_title: "Order of percentiles, thresholds and means",
  severity: "info",
  kind: "consistent",
  statement: "Printed percentiles agree with the buckets.",
  figures: [],
  claim_keys: [],
  origin: "computed",
  reference: null,
  ...change,
});

const contradiction = finding({
  id: "run-1",
  severity: "high",
  kind: "summary contradicts the buckets",
  statement: "get: the 99 % quantile is printed as 9.9 ms, the run's own buckets put it between 2 ms and 2.1 ms.",
  figures: [
    { label: "printed", value: 9_900_000, lower: 9_850_000, upper: 9_950_000, unit: "ns", as_printed: "9.9 ms" },
    { label: "by the buckets", value: null, lower: 2_000_000, upper: 2_100_000, unit: "ns", as_printed: null },
  ],
});

const text = (element: HTMLElement): string => (element.textContent ?? "").replaceAll("\u00a0", " ");

describe("the audit of a run", () => {
  it("says calmly that nothing was found, in how many checks, and lists them", () => {
    show(
      <AuditSection
        findings={[finding(), finding({ id: "run-2", statement: "Sums too." }), finding({ id: "run-3", check: "P5" })]}
      />,
    );
    const section = screen.getByRole("region", { name: "Audit" });
    expect(text(section)).toContain("No contradiction found in 2 checks.");
    expect(text(section)).toContain("Checks that found nothing (2)");
    expect(text(section)).toContain("Printed percentiles agree with the buckets. Sums too.");
  });

  it("shows a contradiction with its gravity in a word, its statement and its figures", () => {
    show(<AuditSection findings={[contradiction, finding({ check: "P5" })]} />);
    expect(text(screen.getByRole("region", { name: "Audit" }))).toContain(
      "1 finding against its numbers, in 2 checks.",
    );
    const item = screen.getAllByRole("listitem")[0]!;
    expect(text(item)).toContain("high");
    expect(text(item)).toContain("is printed as 9.9 ms");
    expect(text(within(item).getByText("printed").closest("div")!)).toBe("printed“9.9 ms”");
    expect(text(within(item).getByText("by the buckets").closest("div")!)).toBe("by the buckets2 ms to 2.1 ms");
  });

  it("keeps what is only worth knowing apart from what is wrong", () => {
    const short = finding({
      id: "run-4",
      check: "P14",
      kind: "shorter than a certification test",
      statement: "It lasted 1 min.",
    });
    show(<AuditSection findings={[short]} />);
    expect(text(screen.getByRole("region", { name: "Audit" }))).toContain("No contradiction found in 1 check.");
    expect(text(screen.getByRole("list", { name: "Worth knowing" }))).toContain("Note: It lasted 1 min.");
  });

  it("tells an unaudited run and one without anything to check from a clean one", () => {
    show(<AuditSection findings={null} />);
    expect(text(screen.getByRole("region", { name: "Audit" }))).toBe("AuditThe run has not been audited yet.");
    expect(auditSentence([])).toBe("The run states too little to check its numbers against each other");
    expect(checkCount([finding(), finding()])).toBe(1);
  });

  it("writes figures with their unit", () => {
    const figure = { label: "x", lower: null, upper: null, as_printed: null };
    expect(figureText({ ...figure, value: 0.5, unit: "ratio" }).replaceAll("\u00a0", " ")).toBe("50 %");
    expect(figureText({ ...figure, value: 1856.4, unit: "count" })).toBe("1860");
    expect(figureText({ ...figure, value: null, unit: "ns" })).toBe("—");
  });
});
