import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RunSummary } from "@/api/types";
import { runSummary } from "@/test/fixtures";
import { show } from "@/test/render";
import { RunTable } from "./RunTable";

const MS = 1_000_000;
const verdict: RunSummary["verdicts"][number] = {
  budget_name: "fraud-250-sequential",
  budget_title: "250 reads in 1 s",
  verdict: "PASS",
  reason: null,
  provisional: false,
  reason_text: null,
  headline: null,
  room: {
    window_ns: 1000 * MS,
    reserve_ns: 0,
    room_lower_ns: 947 * MS,
    room_upper_ns: 966 * MS,
    quantile_lower_ns: null,
  },
  evidence_share: null,
  evidence_unit: null,
};
const limits = {
  ...verdict,
  budget_name: "act-limits",
  budget_title: "ACT limits",
  verdict: "FAIL" as const,
  room: null,
};
const run = runSummary({ verdicts: [verdict, limits] });

describe("a run of the list", () => {
  it("draws the room of each judged transaction, and of nothing else", () => {
    show(<RunTable runs={[run]} sort="-started" own={false} onSort={() => undefined} />);
    expect(screen.getAllByRole("img")).toHaveLength(1);
    expect(screen.getByRole("img", { name: /^Reads take 34–53.ms, room left 947–966.ms, deadline 1.s/ })).toBeTruthy();
    expect(screen.getByText(/at least 947.ms to spare/)).toBeTruthy();
    expect(screen.getByText("ACT limits")).toBeTruthy();
  });

  it("carries the strength of its verdicts and what weakens them", () => {
    const proven = { ...verdict, strength: "proven" as const, words: "PASS, proven" };
    const weak = {
      ...limits,
      strength: "observed" as const,
      words: "FAIL in this run",
      slices: 3,
      unreliable_slices: 3,
    };
    show(
      <RunTable
        runs={[runSummary({ closed_loop: true, verdicts: [proven, weak] })]}
        sort="-started"
        own={false}
        onSort={() => undefined}
      />,
    );
    const [first, second] = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect(first).toContain("PASS, proven");
    expect(first).toContain("closed loop");
    expect(second).toContain("FAIL in this run");
    expect(second).toContain("3 of 3 slices unreliable");
  });

  it("states no start and no length that its file does not state", () => {
    const uploaded = runSummary({ started_at_known: false, measured_duration_ns: 0, verdicts: [] });
    show(<RunTable runs={[uploaded]} sort="-started" own={false} onSort={() => undefined} />);
    expect(screen.getAllByText("not stated")).toHaveLength(2);
  });
});

describe("probes of a search in the list", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("have the highest load that holds in a column, asked for once for each search", async () => {
    const answers = vi.fn(() => Promise.resolve(Response.json({ passed_per_s: 45_250, failed_per_s: null })));
    vi.stubGlobal("fetch", answers);
    const probe = { search_id: "s", step: 1, load_per_s: 1_000, objective: "p99 get < 5ms" };
    const runs = [
      runSummary({ run_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d01", probe }),
      runSummary({ run_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d02", probe: { ...probe, step: 2 } }),
      runSummary({ run_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d03" }),
    ];
    show(<RunTable runs={runs} sort="-started" own={false} onSort={() => undefined} />);
    expect(screen.getByRole("columnheader", { name: "Holds up to" })).toBeTruthy();
    expect(await screen.findAllByText(/at least 45\.3k.ops\/s/)).toHaveLength(2);
    expect(screen.getByText("search, probe 2")).toBeTruthy();
    expect(answers).toHaveBeenCalledTimes(1);
  });

  it("add no column to other lists", () => {
    show(<RunTable runs={[run]} sort="-started" own={false} onSort={() => undefined} />);
    expect(screen.queryByRole("columnheader", { name: "Holds up to" })).toBeNull();
  });
});
