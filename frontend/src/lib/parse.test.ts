import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAmount, parseBytes, parseDuration, parsePercent, parseWhole, writeDuration, writePercent } from "./parse";

describe("a time as it is typed", () => {
  it.each([
    ["1s", 1e9],
    ["1 s", 1e9],
    ["1.5 s", 1.5e9],
    [".5s", 5e8],
    ["400ms", 4e8],
    ["1,000 ms", 1e9],
    ["250us", 250_000],
    ["250 µs", 250_000],
    ["64.123456 ms", 64_123_456],
    ["0", 0],
    ["0 ms", 0],
    ["1 h", 3600e9],
  ])("%s", (text, ns) => {
    expect(parseDuration(text)).toEqual({ value: ns, problem: null });
  });

  it.each([
    ["", /unit/],
    ["400", /400 of what\? Add the unit/],
    ["1,5 s", /not a time/],
    ["-1 s", /not a time/],
    ["soon", /not a time/],
    ["3 d", /“d” is not a unit/],
    ["NaN s", /not a time/],
    ["Infinity", /not a time/],
    ["1e9 s", /not a time/],
    ["0.5 ns", /whole nanoseconds/],
    ["2 h", /one hour/],
  ])("%s is explained", (text, problem) => {
    const { value, problem: said } = parseDuration(text);
    expect(value).toBeNull();
    expect(said).toMatch(problem);
  });

  it("is written so that reading it gives the same time", () => {
    expect([1e9, 1.5e9, 4e8, 250_000, 1, 0, 999_936_000].map((ns) => writeDuration(ns))).toEqual([
      "1s",
      "1.5s",
      "400ms",
      "250us",
      "1ns",
      "0",
      "999.936ms",
    ]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_600_000_000_000 }), (ns) => {
        expect(parseDuration(writeDuration(ns)).value).toBe(ns);
      }),
    );
  });
});

describe("a share as it is typed", () => {
  it.each([
    ["99.9", 0.999],
    ["99.9 %", 0.999],
    ["99.9999%", 0.999999],
    ["50", 0.5],
    ["0.1", 0.001],
  ])("%s", (text, share) => {
    expect(parsePercent(text)).toEqual({ value: share, problem: null });
  });

  it.each([
    ["100", /No measurement can show 100/],
    ["101", /less than 100/],
    ["0", /more than 0/],
    ["-3", /not a share/],
    ["99,9", /not a share/],
    ["all", /not a share/],
    ["", /per cent/],
  ])("%s is explained", (text, problem) => {
    expect(parsePercent(text).value).toBeNull();
    expect(parsePercent(text).problem).toMatch(problem);
  });

  it("is written so that reading it gives the same share", () => {
    expect(writePercent(0.999)).toBe("99.9");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (parts) => {
        const share = Number((parts / 1e7).toPrecision(12));
        expect(parsePercent(writePercent(share)).value).toBeCloseTo(share, 12);
      }),
    );
  });
});

describe("numbers as they are typed", () => {
  const reads = { least: 1, most: 100_000, what: "how many reads" };

  it.each([
    ["250", 250],
    [" 4,000 ", 4000],
    ["4k", 4000],
    ["1.5k", 1500],
  ])("%s", (text, value) => {
    expect(parseWhole(text, reads)).toEqual({ value, problem: null });
  });

  it.each([
    ["", "Write how many reads."],
    ["many", "“many” is not a whole number."],
    ["2.5", "“2.5” is not a whole number."],
    ["4,00", "“4,00” is not a whole number."],
    ["0", "At least 1."],
    ["-1", "“-1” is not a whole number."],
    ["1M", "At most 100,000."],
    ["NaN", "“NaN” is not a whole number."],
  ])("%s is explained", (text, problem) => {
    expect(parseWhole(text, reads)).toEqual({ value: null, problem });
  });

  it("need not be whole where an amount is meant", () => {
    const range = { least: 0.001, most: 1e9, what: "a rate" };
    expect(parseAmount("0.5", range).value).toBe(0.5);
    expect(parseAmount("4,000.5", range).value).toBe(4000.5);
    expect(parseAmount("0", range).problem).toBe("At least 0.001.");
  });
});

describe("a size as it is typed", () => {
  it.each([
    ["2 TB", 2e12],
    ["500GiB", 500 * 2 ** 30],
    ["1.5 kB", 1500],
  ])("%s", (text, bytes) => {
    expect(parseBytes(text)).toEqual({ value: bytes, problem: null });
  });

  it.each([
    ["", /unit/],
    ["2", /2 of what/],
    ["2 tb", /“tb” is not a unit/],
    ["-2 TB", /not a size/],
    ["0 TB", /more than 0/],
    ["100 PB", /below 9 PB/],
  ])("%s is explained", (text, problem) => {
    expect(parseBytes(text).problem).toMatch(problem);
  });
});
