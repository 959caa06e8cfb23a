import { describe, expect, it } from "vitest";
import { intervalText, type PrintedNumber, printedMeaning, printedText } from "./printed";

const plain = (text: string | null): string | null => text?.replaceAll("\u00a0", " ") ?? null;

const number = (value: number | null, lower: number | null, upper: number | null, unit: string, comparison = "=") =>
  ({ as_printed: "x", value, lower, upper, unit, comparison }) satisfies PrintedNumber;

describe("printed numbers", () => {
  it.each([
    [number(0.179, 0.1785, 0.1795, "ratio"), "17.9 %", "17.85–17.95 %"],
    [number(0, 0, 0.00005, "ratio"), "0.00 %", "0–0.005 %"],
    [number(0.001, 0.00095, 0.00105, "ratio"), "0.10 %", "0.095–0.105 %"],
    [number(70_930, 70_925, 70_935, "ns"), "70.93 µs", "70.925–70.935 µs"],
    [number(129_000, 128_500, 129_500, "ns"), "129 µs", "128.5–129.5 µs"],
    [number(820_000, 815_000, 825_000, "ns"), "820 µs", "815–825 µs"],
    [number(199e9, 198.5e9, 199.5e9, "ns"), "199 s", "198.5–199.5 s"],
    [number(86_400e9, null, null, "ns"), "24 h", null],
    [number(1_005_768, 1_005_767.5, 1_005_768.5, "ops/s"), "1,005,768 ops/s", "1,005,767.5–1,005,768.5 ops/s"],
    [number(1_240_000, 1_235_000, 1_245_000, "ops/s"), "1.24M ops/s", "1.235–1.245M ops/s"],
    [number(2000, 2000, 2000, "ops/s"), "2000 ops/s", null],
    [number(1.6e12, 1.55e12, 1.65e12, "bytes"), "1.6 TB", "1.55–1.65 TB"],
    [number(160e9, 159.5e9, 160.5e9, "bytes"), "160 GB", "159.5–160.5 GB"],
    [number(3.1e9, 3.1e9, 3.1e9, "bytes/s"), "3.1 GB/s", null],
    [number(0.95, 0.95, null, "ratio", ">="), "≥ 95 %", "≥ 95 %"],
    [number(25, null, 25, "W", "<="), "≤ 25 W", "≤ 25 W"],
    [number(40, 39.5, 40.5, "x"), "40 ×", "39.5–40.5 ×"],
    [number(1, 0.5, 1.5, "DWPD"), "1 DWPD", "0.5–1.5 DWPD"],
    [number(200_000_000, 200_000_000, 200_000_000, "count"), "200,000,000", null],
    [number(32e9, 32e9, 32e9, "transfers/s"), "32G transfers/s", null],
    [number(1e9, 1e9, null, "bits/s", ">"), "> 1 Gbit/s", "≥ 1 Gbit/s"],
  ])("%j reads %s", (printed, text, interval) => {
    expect(plain(printedText(printed))).toBe(text);
    expect(plain(intervalText(printed))).toBe(interval);
  });

  it("keeps the characters of the document where there is no number", () => {
    const words = { as_printed: "better part of a second", value: null, lower: null, upper: null, unit: "ns" };
    expect(printedText(words)).toBe("better part of a second");
    expect(printedMeaning(words)).toBe("printed “better part of a second”; no number");
  });

  it("says on hover what was printed and what that allows", () => {
    expect(plain(printedMeaning({ ...number(0.179, 0.1785, 0.1795, "ratio"), as_printed: "17.9 / 16.9" }))).toBe(
      "printed “17.9 / 16.9”; its rounding allows 17.85–17.95 %",
    );
    expect(plain(printedMeaning({ ...number(600, 600, 600, "s"), as_printed: "10", unit_as_printed: "min" }))).toBe(
      "printed “10 min”; taken as exact",
    );
    expect(printedMeaning({ ...number(5e5, null, null, "ops/s", "~"), as_printed: "roughly 500,000" })).toBe(
      "printed “roughly 500,000”; nothing says how far it may be off",
    );
    expect(printedMeaning({ ...number(25, null, 25, "W", "<="), as_printed: "up to 25" })).toBe("printed “up to 25”");
  });
});
