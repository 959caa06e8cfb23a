import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { runSummary } from "@/test/fixtures";
import { show } from "@/test/render";
import { defaultRun } from "./defaultRun";
import { SlaPage } from "./SlaPage";

describe("before the first answer", () => {
  it("the question, its subject and the place of the answer are there", async () => {
    vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => {}));
    show(<SlaPage view={{}} onView={() => {}} />);
    const question = (screen.getByRole("heading", { level: 1 }).textContent ?? "").replaceAll(/\s+/g, " ");
    expect(question).toContain("250 reads, one after another");
    expect(question).toContain("Does the newest run keep it?");
    expect(screen.getByText("Loading the answer…")).toBeDefined();
  });

  it("a run with an answer is asked about, rather than a newer one without reads", () => {
    const [verdict] = runSummary().verdicts;
    const run = (run_id: string, changes: Parameters<typeof runSummary>[0]) =>
      runSummary({ run_id, state: "finished", outcome: "completed", verdicts: [verdict!], ...changes });
    const without = run("without reads", { verdicts: [] });
    const stopped = run("stopped", { outcome: "stopped" });
    expect(defaultRun([stopped, without, run("judged", {})])?.run_id).toBe("judged");
    expect(defaultRun([stopped, without])?.run_id).toBe("without reads");
    expect(defaultRun([])).toBeUndefined();
  });
});
