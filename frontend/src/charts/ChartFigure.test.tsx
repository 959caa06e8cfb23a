import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import { ChartFigure } from "./ChartFigure";
import { SharedCursor } from "./cursor";
import { standaloneSvg } from "./exportImage";
import type { ChartSpec, SeriesSpec } from "./spec";

const line = (key: string): SeriesSpec => ({
  key,
  label: key,
  mark: "line",
  color: "--series-1",
  read: (row) => `${String(row[key])} ms`,
  columns: [{ header: `${key}_ms`, value: (row) => (typeof row[key] === "number" ? row[key] : null) }],
});

const axis = { label: "x", kind: "linear", domain: [0, 3], ticks: [0, 1, 2, 3], format: String } as const;

const spec: ChartSpec = {
  title: "Two lines over time",
  note: "For the test.",
  x: axis,
  y: { ...axis, label: "latency" },
  rows: [
    { x: 1, a: 10, b: 0.1 },
    { x: 2, a: 20, b: null },
    { x: 3, a: 30, b: 0.3 },
  ],
  series: [line("a"), line("b")],
  readX: (row) => `at ${row.x} s`,
  xColumn: { header: "time_s", value: (row) => row.x },
};

describe("a chart", () => {
  it("is a figure named by what it shows", () => {
    show(<ChartFigure spec={spec} />);
    expect(screen.getByRole("figure", { name: "Two lines over time" })).toBeTruthy();
  });

  it("reads all series at one position by arrow keys", async () => {
    show(<ChartFigure spec={spec} />);
    const reader = screen.getByRole("slider", { name: "Read values: Two lines over time" });
    expect(reader.getAttribute("aria-valuetext")).toBe("No position chosen");
    reader.focus();
    await userEvent.keyboard("{Home}");
    expect(reader.getAttribute("aria-valuetext")).toBe("at 1 s, a 10 ms, b 0.1 ms");
    await userEvent.keyboard("{ArrowRight}{ArrowRight}{ArrowRight}");
    expect(reader.getAttribute("aria-valuetext")).toBe("at 3 s, a 30 ms, b 0.3 ms");
    expect(reader.getAttribute("aria-valuenow")).toBe("2");
    await userEvent.keyboard("{Escape}");
    expect(reader.getAttribute("aria-valuetext")).toBe("No position chosen");
  });

  it("leaves out what the legend switches off, in the readout and in the table", async () => {
    show(<ChartFigure spec={spec} />);
    await userEvent.click(screen.getByRole("button", { name: "b", pressed: true }));
    screen.getByRole("slider").focus();
    await userEvent.keyboard("{Home}");
    expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("at 1 s, a 10 ms");
    await userEvent.click(screen.getByRole("button", { name: "View as table" }));
    const header = within(screen.getByRole("table")).getAllByRole("columnheader");
    expect(header.map((cell) => cell.textContent)).toEqual(["time_s", "a_ms"]);
  });

  it("shows the exact numbers as a table, unknown as a dash", async () => {
    show(<ChartFigure spec={spec} />);
    await userEvent.click(screen.getByRole("button", { name: "View as table" }));
    const cells = within(screen.getByRole("table")).getAllByRole("cell");
    expect(cells.map((cell) => cell.textContent)).toEqual(["1", "10", "0.1", "2", "20", "—", "3", "30", "0.3"]);
  });

  it("shares its cursor with the charts of the page on the same axis, and with no others", async () => {
    const other = { ...spec, title: "By share", x: { ...axis, label: "share" } };
    show(
      <SharedCursor>
        <ChartFigure spec={spec} />
        <ChartFigure spec={{ ...spec, title: "Beside it", rows: spec.rows.slice(0, 2) }} />
        <ChartFigure spec={other} />
      </SharedCursor>,
    );
    const text = (title: string) =>
      screen.getByRole("slider", { name: `Read values: ${title}` }).getAttribute("aria-valuetext");
    screen.getByRole("slider", { name: "Read values: Two lines over time" }).focus();
    await userEvent.keyboard("{Home}{ArrowRight}");
    expect(text("Two lines over time")).toMatch(/^at 2 s/);
    expect(text("Beside it")).toMatch(/^at 2 s/);
    expect(text("By share")).toBe("No position chosen");
    await userEvent.keyboard("{Escape}");
    expect(text("Beside it")).toBe("No position chosen");
  });

  it("is exported with its title, its legend and what its axes measure", () => {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("width", "400");
    drawing.setAttribute("height", "200");
    document.body.append(drawing);
    const svg = standaloneSvg(drawing, "Two lines over time", "latency", spec.series);
    for (const text of ["Two lines over time", ">latency<", ">a<", ">b<"]) expect(svg).toContain(text);
    drawing.remove();
  });

  it("says that there are no data yet", () => {
    show(<ChartFigure spec={{ ...spec, rows: [] }} />);
    expect(screen.getByText("No data yet.")).toBeTruthy();
  });
});
