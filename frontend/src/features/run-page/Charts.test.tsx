import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Percentiles } from "@/api/types";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { Charts } from "./Charts";
import type { SeriesSelection } from "./seriesSelection";

const NOTHING: SeriesSelection = { operations: [], operation: undefined, clocks: [], series: undefined, all: [] };
const curve = (operation: string): Percentiles["curves"][number] => ({
  operation,
  clock: "service",
  count: 558_971,
  miss_count: 0,
  measured_ns: 4e9,
  max_ns: null,
  points: [
    { quantile: 0.5, lower_ns: 67_000, upper_ns: 68_000 },
    { quantile: 0.999, lower_ns: 4_200_000, upper_ns: 4_290_000 },
  ],
  printed: [],
});

function charts(changes: Parameters<typeof runDetail>[0], curves: Percentiles["curves"]): void {
  const run = runDetail({ state: "finished", outcome: "completed", source: "upload", ...changes });
  const percentiles = { run_id: run.run_id, curves } as Percentiles;
  show(
    <Charts
      run={run}
      selection={NOTHING}
      percentiles={percentiles}
      reachNs={0}
      view={{}}
      onView={() => undefined}
      live={false}
      shares={null}
    />,
  );
}

describe("a file that holds the whole run", () => {
  it("is drawn, and says how to have its course over time", () => {
    charts({ tool: "fio" }, [curve("read"), curve("write")]);
    expect(
      screen.getByRole("figure", { name: /^Read: percentile curve, half within 68.µs, 99.9.% within 4.3.ms/ }),
    ).toBeTruthy();
    expect(screen.getByRole("heading", { name: "When it was slow is not in this file" })).toBeTruthy();
    expect(screen.getByText(/--write_lat_log/)).toBeTruthy();
    expect(screen.queryByText("Nothing measured yet")).toBeNull();
  });

  it("without a distribution says so, and not that the run ended early", () => {
    charts({ tool: "redis-benchmark" }, []);
    expect(screen.getByText("The file states figures, but no latencies that could be drawn.")).toBeTruthy();
    expect(screen.queryByText("Nothing measured yet")).toBeNull();
  });
});
