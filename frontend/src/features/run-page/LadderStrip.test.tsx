import { QueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Ladder, LadderStep, VerdictWord } from "@/api/types";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { caveats, finding, LadderStrip, stepName, stepText } from "./LadderStrip";

const runIdOf = (step: number): string => `019b76da-a800-7d41-9c3e-5f0a1b2c3d${step.toString(16).padStart(2, "0")}`;
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

function step(
  number: number,
  load: number,
  verdict: VerdictWord | null,
  changes: Partial<LadderStep> = {},
): LadderStep {
  const share = verdict === "FAIL" ? 0.072 : 0.0271;
  return {
    run_id: runIdOf(number),
    step: number,
    kind: "raise",
    load_multiple: load,
    state: "finished",
    outcome: "completed",
    started_at: "2026-11-20T17:00:00Z",
    planned_duration_ns: 20_000_000_000,
    measured_duration_ns: 20_000_000_000,
    visibility: "private",
    verdict,
    strength: verdict === "PASS" || verdict === "FAIL" ? "observed" : null,
    words: verdict,
    reason: verdict === "INDETERMINATE" ? "dependence" : null,
    reason_text: null,
    provisional: false,
    rows:
      verdict === null
        ? []
        : [
            {
              threshold_ns: 1_000_000,
              limit_ratio: 0.05,
              over_count: 1,
              total_count: 60_000,
              ratio: share,
              ratio_lower: share,
              ratio_upper: share,
              verdict,
            },
          ],
    certification: verdict === null ? null : "INDETERMINATE",
    ...changes,
  };
}

const USUAL = [
  step(1, 1, "PASS"),
  step(2, 2, "PASS"),
  step(3, 3, "FAIL"),
  step(4, 2, "PASS", { kind: "hold" }),
  step(5, 4, "FAIL", { kind: "stress" }),
];

const ladder = (changes: Partial<Ladder> = {}): Ladder => ({
  ladder_id: "l",
  budget_name: "act-limits",
  certification_duration_ns: 86_400_000_000_000,
  steps: USUAL,
  is_whole: true,
  kept_load_multiple: 2,
  broken_load_multiple: 3,
  certified_load_multiple: null,
  every_step_passed: true,
  held_load_multiple: 2,
  may_change: false,
  ...changes,
});

describe("a ladder in words", () => {
  it("says what the verdicts prove, and which limit was broken by how much", () => {
    expect(plain(finding(ladder()))).toBe(
      "ACT's limits were kept up to 2x in runs of 20 s; at 3x, 7.2 % of the reads were over 1 ms (limit 5 %).",
    );
    expect(finding(ladder({ every_step_passed: false }))).toContain("were kept at 2x in runs of");
    expect(plain(finding(ladder({ kept_load_multiple: null })))).toMatch(
      /^No load is proven to keep ACT's limits: at 3x,/,
    );
  });

  it("claims nothing before it is known", () => {
    const open = { kept_load_multiple: null, broken_load_multiple: null, every_step_passed: false };
    expect(finding(ladder({ ...open, may_change: true, steps: [step(1, 1, null)] }))).toBe(
      "No load has been judged yet.",
    );
    expect(finding(ladder({ ...open, steps: [step(1, 1, "INDETERMINATE")] }))).toBe("No load is decided.");
    expect(finding(ladder({ ...open, may_change: true, steps: [step(1, 1, "INDETERMINATE")] }))).toContain("yet");
    const climbing = ladder({ broken_load_multiple: null, may_change: true });
    expect(plain(finding(climbing))).toBe("ACT's limits were kept up to 2x in runs of 20 s so far.");
    expect(finding({ ...climbing, may_change: false })).toContain("no load is proven to break them");
  });

  it("names what nobody may overlook", () => {
    const words = (changes: Partial<Ladder>, isMine = true): string =>
      plain(caveats(ladder(changes), isMine).join(" "));
    expect(words({})).toBe("Each verdict is about its own run. None certifies a load: that takes 24 h.");
    expect(words({ certified_load_multiple: 2 })).toBe("The certification was passed at 2x.");
    expect(words({ held_load_multiple: 5 })).toContain("held 5x; by the verdicts the highest kept load is 2x.");
    // A passed stress step above the agent's held load is no contradiction.
    expect(words({ held_load_multiple: 1 })).not.toContain("The agent");
    const pending = [...USUAL.slice(0, 2), step(3, 5, "PASS", { provisional: true })];
    expect(words({ held_load_multiple: 5, steps: pending })).not.toContain("The agent");
    expect(words({ is_whole: false }, false)).toContain("Steps that are not published are not shown.");
    expect(words({ is_whole: false })).toContain("Some steps are missing here.");
    const undecided = [step(1, 1, "INDETERMINATE"), step(2, 2, "PASS"), step(3, 2, "INDETERMINATE", { kind: "hold" })];
    expect(words({ steps: undecided })).toContain("1x and hold 2x are undecided.");
    const many = [1, 2, 3, 4, 5].map((load) => step(load, load, "INDETERMINATE"));
    expect(words({ steps: [...many, step(6, 2, "PASS")] })).toContain("5 steps are undecided.");
    const none = { kept_load_multiple: null, broken_load_multiple: null, held_load_multiple: null };
    expect(words({ ...none, steps: many })).toBe("");
    expect(words({ steps: [step(1, 1, "PASS", { outcome: "stopped" })] })).toContain(
      "1x did not run to the end and proves no load.",
    );
  });

  it("says how long the runs were that kept the limits", () => {
    const held = step(4, 2, "PASS", { kind: "hold", measured_duration_ns: 3_600_000_000_000 });
    expect(plain(finding(ladder({ steps: [...USUAL.slice(0, 3), held] })))).toContain("in runs of 20 s to 1 h;");
  });

  it("names each step by what it did, with what decided it", () => {
    expect(USUAL.map(stepName)).toEqual(["1x", "2x", "3x", "hold 2x", "stress 4x"]);
    expect(USUAL.slice(1, 3).map((one) => plain(stepText(one)))).toEqual(["2.7 % over 1 ms", "7.2 % over 1 ms"]);
    expect(stepText(step(1, 1, "INDETERMINATE"))).toBe("measured transactions contradict the model");
    expect(stepText(step(1, 1, null, { state: "running", outcome: null }))).toBe("running");
    expect(stepText(step(1, 1, null, { outcome: "failed" }))).toBe("failed");
    expect(stepName(step(7, 1, null, { load_multiple: null }))).toBe("step 7");
  });
});

describe("the strip", () => {
  afterEach(() => vi.unstubAllGlobals());

  const mark = { ladder_id: "l", step: 3, kind: "raise", load_multiple: 3, step_count: 5 } as const;

  it("is a list of links in order, with the current step marked", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(ladder())));
    show(<LadderStrip run={runDetail({ run_id: runIdOf(3), ladder: mark })} />);
    const region = await screen.findByRole("region", { name: "Load ladder" });
    const links = await within(region).findAllByRole("link");
    expect(links.map((link) => plain(link.textContent ?? ""))).toEqual([
      "1x PASS 2.7 % over 1 ms",
      "2x PASS 2.7 % over 1 ms",
      "3x FAIL 7.2 % over 1 ms",
      "hold 2x PASS 2.7 % over 1 ms",
      "stress 4x FAIL 7.2 % over 1 ms",
    ]);
    expect(links.map((link) => link.getAttribute("aria-current"))).toEqual([null, null, "page", null, null]);
    expect(links[4]?.getAttribute("href")).toBe(`/runs/${runIdOf(5)}`);
    expect(within(region).getAllByRole("listitem")).toHaveLength(5);
    expect(within(region).getByText("this is step 3 of 5")).toBeTruthy();
  });

  it("is not there for a run of one load, and asks for nothing", () => {
    const asked = vi.spyOn(QueryClient.prototype, "fetchQuery");
    show(<LadderStrip run={runDetail()} />);
    expect(screen.queryByRole("region")).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });
});
