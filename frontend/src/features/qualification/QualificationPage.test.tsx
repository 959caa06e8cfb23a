import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Suite, SuiteLoad, SuitePlot } from "@/api/qualifications";
import { show } from "@/test/render";
import { plotSpec, sizeText, valueText } from "./plotSpec";
import { SuiteReport } from "./QualificationPage";

const plain = (text: string | null): string => (text ?? "").replaceAll("\u00a0", " ");

const load = (number: number, per_s: number): SuiteLoad => ({
  run_id: `run-${number}`,
  number,
  block_bytes: 4096,
  read_pct: 0,
  depth: 32,
  access: "random",
  idle_before_s: 0,
  written_bytes: 123_000_000,
  text: "4 KiB, random writes, 32 under way",
  per_s,
  bytes_per_s: per_s * 4096,
  latencies: [
    {
      operation: "write",
      count: 10,
      p50_lower_ns: 200_000,
      p50_upper_ns: 201_000,
      p99_lower_ns: 2_000_000,
      p99_upper_ns: 2_001_000,
      p999_lower_ns: null,
      p999_upper_ns: null,
      max_ns: 3_000_000,
    },
  ],
  counters: [],
});

const plot: SuitePlot = {
  title: "The rate did not settle",
  note: "Each dot is a round.",
  x_label: "round",
  x_kind: "round",
  y_label: "operations a second",
  y_unit: "per_s",
  series: [
    {
      label: "each round",
      is_line: false,
      points: [1, 2, 3].map((x) => ({ x, lower: 1000 * x, upper: 1000 * x })),
    },
    { label: "mean of the window", is_line: true, points: [2, 3].map((x) => ({ x, lower: 2500, upper: 2500 })) },
  ],
};

const suite: Suite = {
  suite_id: "a-suite",
  cache_end: null,
  recovery: null,
  idle_gains: [],
  title: "Qualification of Fast One",
  answer: "The drive did not settle, so nothing further was measured",
  began_at: "2026-01-01T00:00:00Z",
  is_complete: true,
  unfinished: 0,
  device: [{ label: "Model", text: "Fast One" }],
  host: [{ label: "Host", text: "here" }],
  preparation: [{ label: "Purge", text: "TRIM of the whole drive" }],
  steady_state: { answer: "not_steady", text: "not steady after 25 rounds", throttled_rounds: [], window: null },
  steps: [
    {
      step: "settle",
      heading: "Steady state",
      measured: 3,
      planned: null,
      missed: 2,
      answers: [
        {
          run_id: "run-of-act",
          load: "ACT 1x",
          question: "Is it fast enough?",
          verdict: "FAIL",
          words: "FAIL",
          headline: "2 % take 1 ms or longer",
          reason: null,
        },
      ],
      loads: [load(1, 1000), load(2, 2000), load(3, 3000)],
      plots: [],
      counters: [],
    },
  ],
  method_version: 9,
};

describe("a qualification", () => {
  it("begins with its result, also where the drive did not settle, and leads to each run", () => {
    show(<SuiteReport suite={suite} />);
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(suite.answer);
    expect(screen.getByText("Not steady after 25 rounds")).toBeTruthy();
    expect(screen.getByText(/2 operations failed, timed out or did not end/)).toBeTruthy();
    expect(screen.getByText(/Is it fast enough\? 2 % take 1 ms or longer\./)).toBeTruthy();
    expect(screen.getByRole("link", { name: "ACT 1x" }).getAttribute("href")).toBe("/runs/run-of-act");
    const rows = within(screen.getByRole("table")).getAllByRole("row");
    expect(rows.map((row) => plain(row.textContent))[3]).toBe(
      "Round 33,00012.3 MB/swrite200–201 µs2.00–2.01 ms—unknown: too few operations",
    );
    expect(screen.getByRole("link", { name: "PDF" }).getAttribute("href")).toBe(
      "/api/v1/qualifications/a-suite/report.pdf",
    );
  });

  it("says what is missing", () => {
    show(<SuiteReport suite={{ ...suite, is_complete: false, unfinished: 2 }} />);
    expect(screen.getByText(/loads that were asked for have not been measured/)).toBeTruthy();
    expect(screen.getByText(/^2 runs cut off/)).toBeTruthy();
  });
});

describe("a plot of a suite", () => {
  it("has the title and every value of the API, in table and readout", () => {
    const spec = plotSpec(plot);
    expect(spec?.title).toBe(plot.title);
    expect(spec?.rows.map((row) => row.x)).toEqual([1, 2, 3]);
    const read = spec?.series.map((series) => spec.rows.map((row) => plain(series.read(row))));
    expect(read).toEqual([
      ["1,000/s", "2,000/s", "3,000/s"],
      ["", "2,500/s", "2,500/s"],
    ]);
    expect(spec?.y.domain[0]).toBe(0);
    expect(plotSpec({ ...plot, series: [] })).toBeNull();
  });

  it("prints sizes and rates as drives are described", () => {
    expect([512, 4096, 1048576].map((size) => plain(sizeText(size)))).toEqual(["512 B", "4 KiB", "1 MiB"]);
    expect(plain(valueText(1.23e9, "bytes_per_s"))).toBe("1.23 GB/s");
    expect(plain(valueText(85_000, "ns"))).toBe("85.0 µs");
    expect(valueText(12_345, "per_s")).toBe("12,300/s");
  });

  it("names places of every kind in its own unit", () => {
    const read = (x_kind: SuitePlot["x_kind"]) => plotSpec({ ...plot, x_kind })?.readX({ x: 2 });
    expect((["round", "bytes", "depth", "fills", "idle_s"] as const).map(read)).toEqual([
      "round 2",
      "at 2\u00a0B",
      "2 under way",
      "after 2.00 times the capacity",
      "after 2\u00a0s of idle time",
    ]);
  });

  it("names no round of write saturation by itself on the axis", () => {
    const points = Array.from({ length: 300 }, (_, index) => ({ x: index / 100, lower: 1000, upper: 1000 }));
    const spec = plotSpec({ ...plot, x_kind: "fills", series: [{ label: "writes", is_line: false, points }] });
    expect(spec?.x.ticks).toHaveLength(5);
    expect(spec?.rows).toHaveLength(300);
  });
});
