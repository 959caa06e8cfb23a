import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseScale,
  linearTicks,
  logDomain,
  logTicks,
  nearestIndex,
  ninesLabel,
  ninesOf,
  ninesTicks,
  positionOf,
  quantileAtNines,
  step125,
  timeTicks,
  valueAt,
} from "./scales";

const positive = fc.double({ min: 1e-3, max: 1e12, noNaN: true });

describe("log axis", () => {
  it("has ticks at 1-2-5", () => {
    expect(logTicks([100, 5000])).toEqual([100, 200, 500, 1000, 2000, 5000]);
  });

  it("keeps to decades when there is no room", () => {
    expect(logTicks([1, 1e7])).toEqual([1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7]);
    expect(logTicks([1, 1e7], 4)).toEqual([1, 100, 1e4, 1e6]);
  });

  it("holds every value, and begins and ends at 1-2-5", () => {
    fc.assert(
      fc.property(fc.array(positive, { minLength: 1 }), (values) => {
        const domain = logDomain(values);
        expect(domain).not.toBeNull();
        const [low, high] = domain!;
        expect(low).toBeLessThan(high);
        for (const value of values) {
          expect(low).toBeLessThanOrEqual(value * (1 + 1e-8));
          expect(high).toBeGreaterThanOrEqual(value * (1 - 1e-8));
        }
        for (const end of [low, high]) expect(["1", "2", "5"]).toContain(end.toExponential(0)[0]);
      }),
    );
  });

  it("has no domain without a positive value", () => {
    expect(logDomain([])).toBeNull();
    expect(logDomain([0, -3])).toBeNull();
  });

  it("steps to 1, 2 and 5", () => {
    expect(step125(3, "down")).toBe(2);
    expect(step125(3, "up")).toBe(5);
    expect(step125(1000, "down")).toBe(1000);
    expect(step125(1000, "up")).toBe(1000);
    expect(step125(0.07, "down")).toBeCloseTo(0.05);
  });
});

describe("positions", () => {
  it("invert", () => {
    fc.assert(
      fc.property(
        positive,
        fc.double({ min: 1.5, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom("linear", "log"),
        (from, factor, position, kind) => {
          const domain = [from, from * factor] as const;
          expect(positionOf(valueAt(position, domain, kind), domain, kind)).toBeCloseTo(position, 6);
        },
      ),
    );
  });

  it("find the nearest point", () => {
    expect(nearestIndex([], 5)).toBe(-1);
    expect(nearestIndex([1, 10, 100], -4)).toBe(0);
    expect(nearestIndex([1, 10, 100], 54)).toBe(1);
    expect(nearestIndex([1, 10, 100], 56)).toBe(2);
    expect(nearestIndex([1, 10, 100], 40, "log")).toBe(2);
    expect(nearestIndex([1, 10, 100], 1e9)).toBe(2);
  });
});

describe("nines", () => {
  it("put each further nine one step on", () => {
    expect(ninesOf(0)).toBeCloseTo(0);
    expect(ninesOf(0.9)).toBeCloseTo(1);
    expect(ninesOf(0.999)).toBeCloseTo(3);
    expect(quantileAtNines(ninesOf(0.9995))).toBeCloseTo(0.9995, 12);
  });

  it("are labelled without ever reading 100", () => {
    expect(
      ninesTicks(5)
        .map(ninesLabel)
        .map((label) => label.replace("\u00a0", " ")),
    ).toEqual(["0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"]);
  });
});

describe("other axes", () => {
  it("tick time as clocks do", () => {
    expect(timeTicks([0, 30e9]).map((tick) => tick / 1e9)).toEqual([0, 5, 10, 15, 20, 25, 30]);
    expect(timeTicks([0, 86_400e9]).map((tick) => tick / 3600e9)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24]);
  });

  it("tick from zero in round steps", () => {
    expect(linearTicks(2010)).toEqual([0, 500, 1000, 1500, 2000, 2500]);
    expect(linearTicks(0.028)).toEqual([0, 0.01, 0.02, 0.03]);
    expect(linearTicks(0)).toEqual([0, 1]);
  });

  it("choose the scale that reads", () => {
    expect(chooseScale("auto", [1, 2, 3])).toBe("linear");
    expect(chooseScale("auto", [1, 200])).toBe("log");
    expect(chooseScale("linear", [1, 200])).toBe("linear");
    expect(chooseScale("auto", [])).toBe("linear");
  });
});
