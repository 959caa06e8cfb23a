import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DrivePage } from "@/api/drivePage";
import { leaderboardRow } from "@/test/driveFixtures";
import { show } from "@/test/render";
import { Comparability } from "./Comparability";

const CAPACITY = "not comparable because the capacities differ: another drive of the same model";

function sentenceOf(rowIds: readonly string[], pairs: readonly [string, string][]): string | undefined {
  const page = {
    rows: rowIds.map((id) => leaderboardRow(id)),
    tests: [],
    comparability: pairs.map((row_ids) => ({ row_ids, reasons: [CAPACITY] })),
  } as unknown as DrivePage;
  show(<Comparability page={page} view={{} as never} onView={() => undefined} />);
  return screen.getByText(/of conditions/).textContent?.replaceAll("\u00a0", " ");
}

describe("a drive's own tests", () => {
  it("are one sentence where there are two sets of conditions", () => {
    expect(sentenceOf(["a", "b"], [["a", "b"]])).toBe("Its two sets of conditions are not comparable because");
    expect(screen.queryByText(/1 pair/)).toBeNull();
  });

  it("are counted in pairs where there are more", () => {
    const pairs: [string, string][] = [
      ["a", "b"],
      ["a", "c"],
    ];
    expect(sentenceOf(["a", "b", "c"], pairs)).toBe(
      "2 of 3 pairs of its 3 sets of conditions are not comparable because",
    );
    expect(screen.getByText(/^\(2 pairs\)/).textContent).toContain("2 pairs");
  });
});
