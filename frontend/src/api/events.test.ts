import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ApiProblem } from "./problem";
import { COLUMN_NAMES, COLUMNS } from "./tickColumns";
import type { Tick } from "./types";

const golden = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, "../../../docs/contracts/golden", name), "utf8");

describe("golden files of the wire contract", () => {
  it("reads every column of the ticks event, null where a tick does not state it", () => {
    const { ticks } = JSON.parse(golden("ticks-event.json")) as { ticks: Tick[] };
    expect(ticks.length).toBeGreaterThan(0);
    for (const tick of ticks)
      for (const name of COLUMN_NAMES) expect([null, expect.any(Number)]).toContainEqual(COLUMNS[name].of(tick));
    expect(ticks.some((tick) => tick.count === 0 && COLUMNS.max_ns.of(tick) === null)).toBe(true);
  });

  it("reads what a tick states of the generator and the drive", () => {
    const { ticks } = JSON.parse(golden("ticks-event.json")) as { ticks: Tick[] };
    const tick = {
      ...ticks[0],
      ...{ duration_ns: 10, lateness_p99_ns: 0, busy_ns: 5, in_flight: 3, temperature_millicelsius: -1_000 },
    } as Tick;
    expect(COLUMNS.lateness_p99_ns.of(tick)).toBe(0);
    expect(COLUMNS.busy_ratio.of(tick)).toBe(0.5);
    expect(COLUMNS.in_flight.of(tick)).toBe(3);
    expect(COLUMNS.temperature_celsius.of(tick)).toBe(-1);
  });

  it("reads a problem as the API's own words", () => {
    const body: unknown = JSON.parse(golden("problem.json"));
    const problem = ApiProblem.from(422, body);
    expect(problem.code).toBe("batch-invalid");
    expect(problem.status).toBe(422);
    expect(problem.message).toBe((body as { detail: string }).detail.replaceAll("`", ""));
  });
});
