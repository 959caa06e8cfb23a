import { describe, expect, it } from "vitest";
import { labelPlace, uprightPlace } from "./labels";
import type { ChartSpec, SeriesSpec } from "./spec";

const series: SeriesSpec = { key: "a", label: "a", mark: "dots", color: "--series-1", read: () => null, columns: [] };
const axis = { label: "", kind: "linear", domain: [0, 100], ticks: [], format: String } as const;

function spec(rows: readonly (readonly [number, number | readonly [number, number]])[]): ChartSpec {
  return {
    title: "",
    x: axis,
    y: axis,
    rows: rows.map(([x, a]) => ({ x, a })),
    series: [series],
    readX: () => "",
    xColumn: { header: "", value: () => null },
  };
}

const limit = { y: 50, label: "limit 5 %" };
const size = { width: 680, height: 260 };
const place = (rows: Parameters<typeof spec>[0], of = limit) => labelPlace(of, spec(rows), [series], size);

describe("the label of a limit", () => {
  it("stands above the left end of its line where nothing is in the way", () => {
    expect(place([])).toBe("insideBottomLeft");
    expect(place([[50, 52]])).toBe("insideBottomLeft");
  });

  it("makes room for what was measured", () => {
    expect(place([[2, 53]])).toBe("insideBottomRight");
    expect(
      place([
        [2, [53, 90]],
        [98, [10, 54]],
      ]),
    ).toBe("insideTopLeft");
    expect(
      place([
        [2, 53],
        [98, 53],
        [3, 47],
      ]),
    ).toBe("insideTopRight");
  });

  it("covers the fewest marks where it covers some in any place", () => {
    const crowd = [1, 2, 3, 95, 96, 97, 98].flatMap((x) => [[x, 53] as const, [x, 47] as const]);
    expect(place(crowd)).toBe("insideBottomLeft");
  });

  it("stays inside the picture, and on a line that ends early", () => {
    expect(place([[2, 4]], { ...limit, y: 0 })).toBe("insideBottomRight");
    const short = { ...limit, toX: 5 };
    expect(place([[2, 53]], short)).toBe("insideTopLeft");
  });
});

describe("the label of a vertical line", () => {
  it("is left of it, unless it would cover the axis", () => {
    const window = { label: "window 200 µs" };
    expect(uprightPlace({ x: 50, ...window }, axis, 680)).toBe("insideTopRight");
    expect(uprightPlace({ x: 5, ...window }, axis, 680)).toBe("insideTopLeft");
    expect(uprightPlace({ x: 25, ...window }, axis, 360)).toBe("insideTopLeft");
  });
});
