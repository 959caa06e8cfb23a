import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { RunDetail, TimelineSeries } from "@/api/types";
import { exceedanceVerdict, runDetail, timeline } from "@/test/fixtures";
import { show } from "@/test/render";
import { GENERATOR_ID } from "./anchor";
import { Generator } from "./Generator";

const text = (element: HTMLElement): string => (element.textContent ?? "").replaceAll("\u00a0", " ");
const [read] = timeline(4).series;

const section = (run: RunDetail, series: TimelineSeries = read!, live = false): HTMLElement => {
  show(<Generator run={run} series={series} all={[series]} percentiles={null} reachNs={4e9} live={live} />);
  return screen.getByRole("region", { name: "Was the load applied?" });
};

const judged = (changes: object = {}): RunDetail =>
  runDetail({
    state: "finished",
    verdicts: [
      exceedanceVerdict({
        validity: {
          slices: 3,
          doubtful: 1,
          late: 1,
          busy: 0,
          lateness_p99_ns: 240_000,
          busy_ratio: 0.31,
          is_known: true,
          ...changes,
        },
      }),
    ],
  });

describe("whether the load was applied", () => {
  it("is said in a sentence, in figures and in pictures, and can be pointed at", () => {
    const region = section(judged());
    expect(region.id).toBe(GENERATOR_ID);
    expect(text(region)).toContain("1 of 3 slices is unreliable.");
    expect(text(within(region).getByText("Unreliable slices").closest("div")!)).toBe("Unreliable slices1 of 3: 1 late");
    expect(text(within(region).getByText("Read").closest("div")!)).toContain("2.00k ops/s intended (100 %)");
    expect(within(region).getByRole("figure", { name: "Read: lateness of the generator" })).toBeTruthy();
    expect(within(region).getByRole("figure", { name: "Temperature of the drive" })).toBeTruthy();
    expect(within(region).queryByText("Under way")).toBeNull();
  });

  it("of a live run says what is under way", () => {
    const region = section(judged(), read!, true);
    expect(text(within(region).getByText("Under way").closest("div")!)).toBe(
      "Under way3 reads, the oldest for 900 µs: not counted yet",
    );
  });

  it("that is not known says so in words that are read, without pictures and without zeros", () => {
    const none = [null, null, null, null];
    const ticks = { ...read!.ticks, lateness_p99_ns: none, busy_ratio: none, temperature_celsius: none };
    const run = runDetail({ state: "finished", source: "upload", tool: "act" });
    const region = section(run, { ...read!, ticks: { ...ticks, target_count: none } });
    expect(text(region)).toContain("How late the generator itself was is not known: a log of ACT does not say.");
    expect(text(within(region).getByText("Load").closest("div")!)).toBe("Loadunknown: no intended rate is on record");
    expect(within(region).queryByRole("figure")).toBeNull();
    expect(text(region)).not.toContain("A slice is unreliable");
  });

  it("of a run without a course says why its verdict is open, so that the verdict has somewhere to lead", () => {
    const closed = runDetail({ state: "finished", source: "upload", tool: "ycsb", closed_loop: true });
    show(<Generator run={closed} series={undefined} all={[]} percentiles={null} reachNs={0} live={false} />);
    expect(text(screen.getByRole("region", { name: "Was the load applied?" }))).toBe(
      "Was the load applied?The generator waited for each answer before the next operation (closed loop).",
    );
  });
});
