import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ExceedanceRow } from "@/api/types";
import { show } from "@/test/render";
import { ExceedanceTable } from "./ExceedanceTable";

const row = (changes: Partial<ExceedanceRow>): ExceedanceRow => ({
  operation: "read",
  clock: "service",
  threshold_ns: 1_000_000,
  over_count: 29_511,
  over_count_lower: 29_511,
  total_count: 540_000,
  ratio: 0.054_65,
  ratio_lower: 0.042,
  ratio_upper: 0.069,
  limit_ratio: 0.05,
  confidence: 0.95,
  ...changes,
});

/** Returns the cells of the only row: share in this run, next run, limit and count. */
function cellsOf(changes: Partial<ExceedanceRow>): (string | undefined)[] {
  show(<ExceedanceTable rows={[row(changes)]} percentiles={null} runId="01a22c29" />);
  const cells = within(screen.getAllByRole("row")[1] as HTMLElement).getAllByRole("cell");
  return cells.slice(3, 7).map((cell) => cell.textContent?.replaceAll("\u00a0", " "));
}

describe("the share over a threshold", () => {
  it("is one number where the buckets count exactly", () => {
    expect(cellsOf({})).toEqual(["5.5 %", "4.2–6.9 %", "5 %", "29,511 of 540,000"]);
  });

  it("has both bounds, and so has its count, where a bucket lies across the threshold", () => {
    expect(cellsOf({ over_count: 40_995, ratio: null, ratio_lower: 0.041, ratio_upper: 0.095 })).toEqual([
      "5.4–7.6 %",
      "4.1–9.5 %",
      "5 %",
      "29,511–40,995 of 540,000",
    ]);
  });

  it("is of this run alone, if the file does not state the number of operations", () => {
    const uncounted = { over_count: 0, over_count_lower: 0, total_count: 0, ratio: null };
    const unknown = "—unknown: the file does not state how many operations there were";
    expect(cellsOf({ ...uncounted, ratio_lower: 0.01, ratio_upper: 0.02 })).toEqual(["1–2 %", unknown, "5 %", unknown]);
  });
});
