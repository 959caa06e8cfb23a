import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DriveTest } from "@/api/drivePage";
import { show } from "@/test/render";
import { Audit, findingsOf } from "./Audit";

const finding = (severity: "high" | "low", statement: string): DriveTest["findings"][number] =>
  ({ check: "C1", severity, statement, origin: "computed" }) as DriveTest["findings"][number];

const test = (id: string, findings: DriveTest["findings"]): DriveTest =>
  ({
    test_id: id,
    load: 3,
    metric_class: "total",
    marks: [],
    mark_notes: [],
    findings,
    source: { kind: "publication", slug: "a-page", row: id, run_id: null, title: "A page" },
  }) as unknown as DriveTest;

describe("the audit of a drive's evidence", () => {
  it("names each finding once, the gravest first, with every test that it concerns", () => {
    const grave = finding("high", "It cannot be.");
    const tests = [test("r1", [finding("low", "A trifle."), grave]), test("r2", [grave])];
    expect(findingsOf(tests).map((one) => [one.finding.statement, one.tests.length])).toEqual([
      ["It cannot be.", 2],
      ["A trifle.", 1],
    ]);
    show(<Audit tests={tests} />);
    expect(screen.getAllByText("It cannot be.")).toHaveLength(1);
  });

  it("says so where nothing was found", () => {
    show(<Audit tests={[test("r1", [])]} />);
    expect(screen.getByText(/found nothing against the tests/)).toBeTruthy();
  });
});
