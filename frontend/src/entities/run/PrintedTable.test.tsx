import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Percentiles } from "@/api/types";
import { show } from "@/test/render";
import { PrintedTable } from "./PrintedTable";

type Curve = Percentiles["curves"][number];
const row = { statistic: "quantile", quantile: 0.99, printed: "590 us", part: null, line: 12 } as const;
const curve = (printed: Curve["printed"]): Curve => ({
  operation: "read",
  clock: "service",
  count: 10,
  miss_count: 0,
  measured_ns: 4e9,
  max_ns: null,
  points: [],
  printed,
});

describe("printed latencies", () => {
  it("stand beside what the stored data support", async () => {
    show(
      <PrintedTable
        curves={[
          curve([
            { ...row, lower_ns: 590_000, upper_ns: 591_000 },
            { ...row, statistic: "max", quantile: null, printed: "2 ms", lower_ns: 1_000_000, upper_ns: null },
            { ...row, statistic: "deviation", quantile: null, printed: "7 us", lower_ns: null, upper_ns: null },
          ]),
        ]}
      />,
    );
    const [, first, second, third] = await screen.findAllByRole("row");
    expect(first?.textContent).toMatch(/99.00.%.*590 us.*590/);
    expect(second?.textContent).toMatch(/largest.*2 ms.*at least 1/);
    expect(third?.textContent).toMatch(/deviation.*7 us/);
  });

  it("take no room where no tool printed any", () => {
    const { container } = show(<PrintedTable curves={[curve([])]} />);
    expect(container.textContent).not.toContain("printed");
  });
});
