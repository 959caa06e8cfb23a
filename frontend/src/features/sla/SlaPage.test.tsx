import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
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

  it("runs that could not be read are asked for again", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}, { status: 500 }));
    show(<SlaPage view={{}} onView={() => {}} />);
    const retries = await screen.findAllByRole("button", { name: "Try again" });
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ runs: [], total: 0 }));
    await userEvent.click(retries[0]!);
    expect(await screen.findByRole("textbox", { name: "Distribution as JSON" })).toBeDefined();
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
