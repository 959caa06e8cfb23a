import { describe, expect, it } from "vitest";
import type { Figures } from "@/api/types";
import { phaseRows } from "./phaseRows";

const figure = (quantity: string, lower: number, upper: number | null) => ({
  quantity,
  lower,
  upper,
  lower_limit: null,
  upper_limit: null,
  why_no_limits: "",
});

const measured = (operation: string, clock: "response" | "service", rate: number, p99: [number, number | null]) =>
  ({
    operation,
    clock,
    samples: rate * 10,
    measured_ns: 10e9,
    figures: [figure("latency_p99_ns", ...p99), figure("miss_ratio", 0, 0)],
  }) as unknown as Figures["operations"][number];

const figures = (...operations: Figures["operations"]) => ({ operations }) as Figures;

describe("the results of a phase", () => {
  it("set what was asked beside what was measured, transactions first", () => {
    const asked = { operations_per_s: { read: 1000, update: 250 }, transactions_per_s: 4 };
    const rows = phaseRows(
      asked,
      figures(
        measured("update", "service", 249, [1, 2]),
        measured("update", "response", 250, [3, 4]),
        measured("read", "service", 1000, [5, 6]),
        measured("transaction", "response", 4, [7, null]),
      ),
    );
    expect(rows.map(({ operation, target: of, achieved, clock }) => [operation, of, achieved, clock])).toEqual([
      ["transaction", 4, 4, "response"],
      ["read", 1000, 1000, "service"],
      ["update", 250, 250, "response"],
    ]);
    expect(rows.map(({ p99 }) => [p99?.lower, p99?.upper])).toEqual([
      [7, null],
      [5, 6],
      [3, 4],
    ]);
    expect(rows[0]?.count).toBe(40);
  });

  it("are what was asked alone before anything is measured", () => {
    const rows = phaseRows(
      { operations_per_s: { read: 950, update: 0, insert: null }, transactions_per_s: null },
      undefined,
    );
    expect(rows.map(({ operation, target: asked, achieved, count }) => [operation, asked, achieved, count])).toEqual([
      ["insert", null, null, null],
      ["read", 950, null, null],
    ]);
  });

  it("leave what was missed out of what was achieved", () => {
    const read = measured("read", "response", 100, [1, 2]);
    const missed = { ...read, figures: [figure("miss_ratio", 0.1, 0.1)] } as typeof read;
    const [row] = phaseRows({ operations_per_s: { read: 100 }, transactions_per_s: null }, figures(missed));
    expect([row?.achieved, row?.count, row?.missRatio]).toEqual([90, 1000, 0.1]);
  });

  it("name what was measured and not asked for by itself", () => {
    const rows = phaseRows(
      { operations_per_s: { "read-modify-write": 100 }, transactions_per_s: null },
      figures(measured("read-modify-write", "response", 100, [1, 2]), measured("rmw-read", "service", 100, [1, 2])),
    );
    expect(rows.map(({ operation, target: asked }) => [operation, asked])).toEqual([
      ["read-modify-write", 100],
      ["rmw-read", undefined],
    ]);
  });
});
