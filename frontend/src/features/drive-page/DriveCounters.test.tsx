import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { DriveTest } from "@/api/drivePage";
import { show } from "@/test/render";
import { DriveCounters } from "./DriveCounters";

const figure = (key: string, text: string): DriveTest["counters"][number] => ({
  key,
  text,
  label: key,
  unit: "",
  lower: 1,
  upper: 2,
  source: "smart",
  reason: null,
});

const test = (runId: string, load: number, counters: DriveTest["counters"], clock = "response"): DriveTest =>
  ({
    test_id: `${runId}:read:${clock}`,
    load,
    firmware: load === 6 ? "2.1" : null,
    counters,
    source: { kind: "run", slug: null, row: null, run_id: runId, title: `Day at ${load}` },
  }) as unknown as DriveTest;

describe("what the drive itself counted", () => {
  it("is one row of each run, at the load that it had, with what was read alone", () => {
    const at6 = [figure("write_amplification_ratio", "1.999–2.001"), figure("wear_used_pct", "4 %")];
    show(
      <DriveCounters
        tests={[
          test("b", 6, at6),
          test("b", 6, at6, "service"),
          test("a", 3, [figure("wear_used_pct", "4 %")]),
          test("c", 12, []),
        ]}
      />,
    );
    expect(screen.getByRole("heading").textContent).toBe(
      "At 6x each byte from the host became 1.999–2.001 on the flash",
    );
    expect(screen.getAllByRole("row").map((row) => row.textContent)).toEqual([
      "LoadWrite amplificationRated life usedFirmwareTest",
      "3x—unknown: no test of it has read this from the drive4 %—unknown: the run does not state itDay at 3",
      "6x1.999–2.0014 %2.1Day at 6",
    ]);
  });

  it("has no section where nothing was read", () => {
    show(<DriveCounters tests={[test("c", 12, [])]} />);
    expect(screen.queryByRole("heading")).toBeNull();
  });
});
