import { describe, expect, it } from "vitest";
import { runSummary } from "@/test/fixtures";
import { sortRuns } from "./sorting";

const verdict = (word: "PASS" | "FAIL" | "INDETERMINATE") => ({
  budget_name: "b",
  budget_title: "B",
  verdict: word,
  reason: null,
  provisional: false,
});

const runs = [
  runSummary({ run_id: "a", title: "beta", started_at: "2026-11-20T10:00:00Z", verdicts: [verdict("PASS")] }),
  runSummary({
    run_id: "b",
    title: "Alpha",
    started_at: "2026-11-20T12:00:00Z",
    verdicts: [verdict("PASS"), verdict("FAIL")],
  }),
  runSummary({ run_id: "c", title: "gamma", started_at: "2026-11-20T11:00:00Z", verdicts: [] }),
];

const order = (sort: Parameters<typeof sortRuns>[1]): string =>
  sortRuns(runs, sort)
    .map((run) => run.run_id)
    .join("");

describe("the order of runs", () => {
  it("goes by title without regard to case, by time, and by the worst verdict", () => {
    expect(order("title")).toBe("bac");
    expect(order("-title")).toBe("cab");
    expect(order("-started")).toBe("bca");
    expect(order("verdict")).toBe("bac");
    expect(order("-verdict")).toBe("cab");
  });

  it("keeps the API's order among equals, either way round", () => {
    expect(order("workload")).toBe("abc");
    expect(order("-workload")).toBe("abc");
  });
});
