import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LoadSearch as Search } from "@/api/types";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { finding, LoadSearch, quantileText, searchNotes } from "./LoadSearch";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const runIdOf = (step: number): string => `019b76da-a800-7d41-9c3e-5f0a1b2c3d0${step}`;

function probe(step: number, load: number, verdict: "PASS" | "FAIL", lower: number): Search["probes"][number] {
  return {
    run_id: runIdOf(step),
    step,
    load_per_s: load,
    state: "finished",
    outcome: "completed",
    started_at: "2026-11-28T09:00:00Z",
    measured_duration_ns: 20_000_000_000,
    visibility: "private",
    verdict,
    strength: "observed",
    words: `${verdict} in this run`,
    reason_text: null,
    quantile_lower_ns: lower,
    quantile_upper_ns: lower + 1_000,
    is_limited: false,
    late_share: 0.001,
  };
}

const search = (changes: Partial<Search> = {}): Search => ({
  search_id: "s",
  objective: "p99 get < 1ms",
  limit_ns: 1_000_000,
  probes: [probe(1, 1_000, "PASS", 400_000), probe(2, 2_000, "FAIL", 3_000_000)],
  text: "p99 get < 1ms: holds at 1,000/s, fails at 2,000/s (100.0 % apart)",
  passed_per_s: 1_000,
  failed_per_s: 2_000,
  limited_per_s: null,
  surely_passed_per_s: 1_000,
  surely_failed_per_s: null,
  is_repeated: true,
  changes: [],
  passes_above_failure: [],
  is_whole: true,
  may_change: false,
  ended: null,
  ended_text: null,
  ...changes,
});

describe("a search in words", () => {
  it("says what holds, what fails, and what is open", () => {
    expect(plain(finding(search()))).toBe("p99 get < 1ms holds at 1.00k ops/s and fails at 2.00k ops/s.");
    expect(plain(finding(search({ failed_per_s: null, may_change: true })))).toContain(
      "at least; no load is shown to fail so far",
    );
    expect(plain(finding(search({ failed_per_s: null, limited_per_s: 3_000 })))).toBe(
      "p99 get < 1ms holds at 1.00k ops/s at least; 3.00k ops/s is more than the load generator makes.",
    );
    expect(plain(finding(search({ passed_per_s: null })))).toContain("no load holds; 2.00k ops/s fails");
    expect(finding(search({ passed_per_s: null, failed_per_s: null }))).toContain("no load is decided");
  });
});

describe("what is said beside the bracket", () => {
  it("names loads at which the load generator was late, whose latencies are not of them", () => {
    const late = { ...probe(3, 4_000, "PASS", 300_000), is_limited: true };
    expect(searchNotes(search({ probes: [late, late] })).map(plain)).toContain(
      "The load generator was late or busy at 4.00k ops/s: latencies there are not those of this load.",
    );
    expect(quantileText(late)).toMatch(/, not of this load$/);
    expect(quantileText(probe(1, 1_000, "PASS", 400_000))).not.toContain("not of this load");
  });

  it("names the stated bracket with its open end, and an end that was measured once", () => {
    const sentences = searchNotes(search({ is_repeated: false })).map(plain);
    expect(sentences).toEqual([
      "Beyond the scatter of its probes: 1.00k ops/s to open; longer probes close an open end.",
      "An end of it was measured once only.",
    ]);
    expect(searchNotes(search({ failed_per_s: null }))).toEqual([]);
  });

  it("says why the search has ended, and nothing of it while a probe is measured", () => {
    const ended = { failed_per_s: null, ended: "top", ended_text: "It ended." };
    expect(searchNotes(search(ended))).toEqual(["It ended."]);
    expect(searchNotes(search({ ...ended, may_change: true }))).toEqual([]);
  });

  it("names hysteresis, changes and passes above a failure", () => {
    const change = { load_per_s: 1_000, before: "PASS", before_followed: "PASS", after: "FAIL" } as const;
    const changes: Search["changes"] = [
      { ...change, after_followed: "FAIL", is_hysteresis: true },
      { ...change, after_followed: "PASS", is_hysteresis: false },
    ];
    const sentences = searchNotes(search({ changes, passes_above_failure: [4_000] })).map(plain);
    expect(sentences.slice(1)).toEqual([
      "Hysteresis: 1.00k ops/s was PASS, later FAIL.",
      "The server changed: 1.00k ops/s was PASS, later FAIL.",
      "4.00k ops/s held as well, above a load that failed.",
    ]);
  });
});

describe("the panel", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("has the picture, and a row for each probe", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(search())));
    const plan = { ladder: { kind: "probe" } } as never;
    show(<LoadSearch run={runDetail({ run_id: runIdOf(2), plan })} />);
    const region = await screen.findByRole("region", { name: "Highest load that holds" });
    expect(await within(region).findByRole("img", { name: /2 probes/ })).toBeTruthy();
    const rows = within(region).getAllByRole("row");
    expect(rows.map((row) => plain(row.textContent ?? ""))).toEqual([
      "ProbeLoadp99 getVerdict",
      expect.stringMatching(/^11.00k ops\/s400.*PASS/),
      expect.stringMatching(/^22.00k ops\/s3.*ms.*FAIL/),
    ]);
    expect(within(region).getByRole("link", { name: "probe 2" }).getAttribute("aria-current")).toBe("page");
  });

  it("is not there for other runs", () => {
    show(<LoadSearch run={runDetail()} />);
    expect(screen.queryByRole("region")).toBeNull();
  });
});
