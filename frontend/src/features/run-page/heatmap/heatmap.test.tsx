// Heatmap: shown part of the run, readout of its cells, keyboard navigation.
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Heatmap as HeatmapData, TimelineSeries } from "@/api/types";
import { columnAt, columnText, findingText, latencyDomain, STEPS, stepOf } from "@/entities/run/heatmap/cells";
import { isWhole, lengthOf, moved, within, zoomed } from "@/entities/run/heatmap/extent";
import { show } from "@/test/render";
import { Heatmap } from "./Heatmap";

const WHOLE = { fromNs: 0, toNs: 100e9 };

const MAP: HeatmapData = {
  run_id: "01a20557-697e-75a2-9fcd-eecc49404317",
  operation: "read",
  clock: "response",
  from_ns: 0,
  to_ns: 6e9,
  rows: [
    { lower_ns: 0, upper_ns: 256_000, count: 70 },
    { lower_ns: 256_000, upper_ns: 512_000, count: 30 },
    { lower_ns: 512_000, upper_ns: 64_000_000, count: 0 },
    { lower_ns: 64_000_000, upper_ns: 128_000_000, count: 1 },
  ],
  columns: [
    { start_ns: 0, duration_ns: 2e9, count: 60, miss_count: 0, first_row: 0, counts: [50, 10] },
    { start_ns: 2e9, duration_ns: 2e9, count: 41, miss_count: 3, first_row: 0, counts: [20, 20, 0, 1] },
    { start_ns: 4e9, duration_ns: 2e9, count: 0, miss_count: 1, first_row: 0, counts: [] },
  ],
};

/** Generous timeout for a busy machine; these tests do not measure speed. */
const PATIENT = { timeout: 10_000 };

describe("the part that is shown", () => {
  it("keeps the moment in its place while zooming", () => {
    const closer = zoomed(WHOLE, WHOLE, 4, 25e9);
    expect(lengthOf(closer)).toBe(25e9);
    expect((25e9 - closer.fromNs) / lengthOf(closer)).toBeCloseTo(0.25, 9);
  });

  it("never leaves the run, and zooming out ends at the whole of it", () => {
    expect(moved(WHOLE, { fromNs: 80e9, toNs: 100e9 }, 1)).toEqual({ fromNs: 80e9, toNs: 100e9 });
    expect(isWhole(WHOLE, zoomed(WHOLE, { fromNs: 40e9, toNs: 90e9 }, 1 / 8, 50e9))).toBe(true);
  });

  it("stays at least a second long, or as long as the run is", () => {
    expect(lengthOf(within(WHOLE, { fromNs: 5e9, toNs: 5e9 + 10 }))).toBe(1e9);
    expect(within({ fromNs: 0, toNs: 5 }, { fromNs: 2, toNs: 3 })).toEqual({ fromNs: 0, toNs: 5 });
  });
});

describe("cells", () => {
  it("have no colour without operations, the first with one, and the last with the most", () => {
    expect([stepOf(0, 1000), stepOf(1, 1000), stepOf(1000, 1000), stepOf(1, 1)]).toEqual([0, 1, STEPS, STEPS]);
  });

  it("are read out with their time, what is usual and what is slowest", () => {
    expect(columnText(MAP, MAP.columns[1] as never)).toMatch(
      /^at 2\ss for 2\ss: 41 operations, most of them under 256\sµs, the slowest 64.*128\sms, 3 without an answer$/,
    );
    expect(columnText(MAP, MAP.columns[2] as never)).toMatch(/no operation completed, 1 without an answer$/);
  });

  it("say in a sentence what the picture shows, and of a moment no more than its column", () => {
    expect(findingText(MAP)).toMatch(
      /^The slowest took 64–130\sms, first in the 2\ss from 2\ss\. None took 130\sms or longer\.$/,
    );
  });

  it("are found by the moment, the nearest where there is a gap", () => {
    expect([0, 3e9, 99e9].map((at) => columnAt(MAP.columns, at))).toEqual([0, 1, 2]);
    expect(columnAt([], 5)).toBe(-1);
  });

  it("leave room for a limit that nothing reaches", () => {
    const [from, to] = latencyDomain(MAP.rows, [1e9]);
    expect(from).toBeLessThan(256_000);
    expect(to).toBeGreaterThan(1e9);
  });
});

describe("the heatmap", () => {
  afterEach(() => vi.unstubAllGlobals());

  const series = { operation: "read", clock: "response", limits: [] } as unknown as TimelineSeries;

  function open() {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      asked.push(new URL(request.url).search);
      return new Response(JSON.stringify(MAP), { headers: { "content-type": "application/json" } });
    });
    const onView = vi.fn();
    show(<Heatmap runId={MAP.run_id} series={series} view={{}} onView={onView} live={false} />);
    return { asked, onView };
  }

  it("is read by arrow keys, and zooms by keys into the address", async () => {
    const user = userEvent.setup();
    const { asked, onView } = open();
    const slider = await screen.findByRole("slider");
    expect(slider.getAttribute("aria-valuetext")).toBe("No moment chosen");
    slider.focus();
    await user.keyboard("{ArrowRight}{ArrowRight}");
    expect(slider.getAttribute("aria-valuetext")).toMatch(/^at 2\ss for 2\ss: 41 operations/);
    await user.keyboard("+");
    await vi.waitFor(() => expect(onView).toHaveBeenLastCalledWith({ from: 1.5, to: 4.5 }), PATIENT);
    await vi.waitFor(() => expect(asked.at(-1)).toMatch(/from_ns=1500000000&to_ns=4500000000/), PATIENT);
  });

  it("shows the same as a table", async () => {
    const user = userEvent.setup();
    open();
    await user.click(await screen.findByRole("button", { name: "View as table" }));
    expect(screen.getAllByRole("row")).toHaveLength(4);
    expect(screen.getByRole("cell", { name: "41" })).toBeDefined();
  });
});
