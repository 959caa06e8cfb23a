import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ComparedSearch, Comparison } from "@/api/comparisons";
import { show } from "@/test/render";
import { LoadSearches } from "./LoadSearches";

const subject = (number: number, source = "run") => ({
  subject: `${source}:${number}`,
  label: `run ${number}`,
  source,
  run_id: `019b76da-a800-7d41-9c3e-5f0a1b2c3d0${number}`,
});
const comparison = (...subjects: ReturnType<typeof subject>[]) => ({ subjects }) as unknown as Comparison;
const search = (passed: number, effect: ComparedSearch["effect"], text: string | null): ComparedSearch => ({
  run_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d01",
  search_id: "s",
  objective: "p99 get < 1ms",
  text: "",
  passed_per_s: passed,
  failed_per_s: 2 * passed,
  surely_passed_per_s: passed,
  surely_failed_per_s: null,
  effect,
  effect_text: text,
});
const answer = (...searches: (ComparedSearch | null)[]) =>
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ searches })));

describe("searches beside each other", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("have their brackets, and what is shown against the base", async () => {
    answer(search(4_000, null, null), search(1_000, "lower", "less load holds"));
    show(<LoadSearches comparison={comparison(subject(1), subject(2))} />);
    const region = await screen.findByRole("region", { name: "Highest load that holds" });
    const rows = within(region)
      .getAllByRole("row")
      .map((row) => (row.textContent ?? "").replaceAll("\u00a0", " "));
    expect(rows[1]).toContain("4.00k ops/s8.00k ops/s4.00k ops/s to openbase");
    expect(rows[2]).toMatch(/1\.00k ops\/s2\.00k ops\/s.*Less load holds/);
  });

  it("are not there where fewer than two subjects are probes, nor for other subjects", async () => {
    const asked = vi.fn(() => Promise.resolve(Response.json({ searches: [search(1_000, null, null), null] })));
    vi.stubGlobal("fetch", asked);
    show(<LoadSearches comparison={comparison(subject(1), subject(2))} />);
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
    show(<LoadSearches comparison={comparison(subject(1), subject(2, "publication"))} />);
    expect(screen.queryByRole("region")).toBeNull();
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
