import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dayAsPrinted,
  exactNanoseconds,
  exactPercent,
  formatAgo,
  formatAtLeastPercent,
  formatBytes,
  formatClock,
  formatCount,
  formatExactLatency,
  formatExactPercent,
  formatLatency,
  formatLatencyInterval,
  formatNeeded,
  formatPercent,
  formatPercentInterval,
  formatQuantile,
  formatRate,
  formatSpan,
  NS_PER_SECOND,
  sentence,
  unbroken,
} from "./format";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const number = (text: string): number => Number.parseFloat(plain(text).replace(/^[≥<>] /, ""));

describe("latency", () => {
  it.each([
    [0, "0 s"],
    [1, "1.00 ns"],
    [950, "950 ns"],
    [999, "999 ns"],
    [1_000, "1.00 µs"],
    [86_361, "86.4 µs"],
    [999_499, "999 µs"],
    [999_600, "1.00 ms"],
    [1_281_024, "1.28 ms"],
    [8_192_000, "8.192 ms"],
    [1_048_576_000, "1.048576 s"],
    [9_996_000, "10.0 ms"],
    [640_000_000, "640 ms"],
    [999_999_999, "1.00 s"],
    [1_000_000_000, "1.00 s"],
    [12_345_000_000, "12.3 s"],
  ])("%d ns reads %s", (value, wanted) => {
    expect(plain(formatLatency(value))).toBe(wanted);
  });

  it("shows the exact value apart", () => {
    expect(plain(exactNanoseconds(1_281_024))).toBe("1,281,024 ns");
  });

  it.each([
    [612_300_000, 639_200_000, "612–640 ms"],
    [950_000, 1_201_000, "0.950–1.21 ms"],
    [3_000, 1_200_000, "3.00 µs–1.20 ms"],
    [0, 1_200_000, "0–1.20 ms"],
    [5_000_000, 5_000_000, "5.00 ms"],
  ])("%d to %d ns reads %s", (lower, upper, wanted) => {
    expect(plain(formatLatencyInterval(lower, upper))).toBe(wanted);
  });

  it("rounds a lower end down and an upper end up, whatever the value", () => {
    const sizes = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 } as const;
    const read = (text: string): number => {
      const [digits, unit] = plain(text).split(" ");
      return Number(digits) * sizes[unit as keyof typeof sizes];
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900_000_000_000 }), (value) => {
        const slack = value * 1e-12;
        expect(read(formatLatency(value, "down"))).toBeLessThanOrEqual(value + slack);
        expect(read(formatLatency(value, "up"))).toBeGreaterThanOrEqual(value - slack);
        expect(Math.abs(read(formatLatency(value)) - value) / value).toBeLessThanOrEqual(0.00501);
      }),
    );
  });
});

describe("share", () => {
  it.each([
    [0, "0 %"],
    [1, "100 %"],
    [0.0128, "1.3 %"],
    [0.5, "50 %"],
    [0.05, "5 %"],
    [0.000041, "0.0041 %"],
    [0.0009996, "0.1 %"],
    [0.95, "95 %"],
    [0.9997, "99.97 %"],
    [0.99996, "99.996 %"],
    [0.999996, "99.9996 %"],
    [0.89999, "90 %"],
    [0.9999999, "99.9999 % or more"],
    [1e-7, "< 0.001 %"],
    [0.0000012, "< 0.001 %"],
  ])("%d reads %s", (value, wanted) => {
    expect(plain(formatPercent(value))).toBe(wanted);
  });

  it("never prints 100 for less than all, nor 0 for more than nothing", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true, minExcluded: true, maxExcluded: true }), (value) => {
        expect(number(formatPercent(value))).toBeLessThan(100);
        expect(number(formatPercent(value, "down"))).toBeLessThan(100);
        expect(number(formatPercent(value))).toBeGreaterThan(0);
        expect(number(formatPercent(value, "up"))).toBeGreaterThan(0);
      }),
    );
  });

  it("rounds bounds to their unfavourable side only", () => {
    const share = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 9_999_999 }).map((count) => 1 - count / 1e8),
      fc.integer({ min: 1, max: 9_999_999 }).map((count) => count / 1e9),
    );
    fc.assert(
      fc.property(share, (value) => {
        expect(number(formatPercent(value, "down"))).toBeLessThanOrEqual(value * 100 + 1e-11);
        expect(number(formatPercent(value, "up"))).toBeGreaterThanOrEqual(value * 100 - 1e-11);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps a guarantee below what it guarantees", () => {
    expect(plain(formatAtLeastPercent(0.98268))).toBe("≥ 98.2 %");
    expect(plain(formatAtLeastPercent(0.999999))).toBe("≥ 99.9999 %");
    expect(plain(formatAtLeastPercent(1 - 1e-12))).toBe("≥ 99.9999 %");
  });

  it.each([
    [0.03412, 0.03456, "3.4–3.5 %"],
    [0.99934, 0.99967, "99.934–99.967 %"],
    [0.99934, 1, "99.934 % or more"],
    [0.9999999, 0.99999999, "99.9999 % or more"],
    [1e-9, 1e-8, "< 0.001 %"],
    [0, 0.0000998, "0–0.01 %"],
    [0.00703, 0.08181, "0.7–8.2 %"],
    [0.04975, 0.04985, "4.9–5 %"],
    [0.25, 0.25, "25 %"],
  ])("%d to %d reads %s", (lower, upper, wanted) => {
    expect(plain(formatPercentInterval(lower, upper))).toBe(wanted);
  });

  it("tells neighbouring quantiles apart", () => {
    expect(plain(formatQuantile(0.5))).toBe("50.0 %");
    expect(plain(formatQuantile(0.997910703))).toBe("99.791 %");
    expect(plain(formatQuantile(0.99999))).toBe("99.99900 %");
  });

  it("writes limits as they were set", () => {
    expect(plain(formatExactPercent(0.05))).toBe("5 %");
    expect(plain(formatExactPercent(0.001))).toBe("0.1 %");
    expect(plain(formatExactPercent(0.999))).toBe("99.9 %");
    expect(plain(formatExactLatency(64_000_000))).toBe("64 ms");
    expect(plain(exactPercent(0.034123456))).toBe("3.4123456 %");
  });
});

describe("rates, counts and sizes", () => {
  it.each([
    [0, "0 ops/s"],
    [23.53, "23.5 ops/s"],
    [105, "105 ops/s"],
    [999.7, "1.00k ops/s"],
    [2_000, "2.00k ops/s"],
    [59_412, "59.4k ops/s"],
    [999_999, "1.00M ops/s"],
  ])("%d reads %s", (value, wanted) => {
    expect(plain(formatRate(value))).toBe(wanted);
  });

  it.each([
    [0, "0"],
    [0.2, "1"],
    [812, "812"],
    [1_000, "1,000"],
    [1_001, "1,100"],
    [2_995, "3,000"],
    [748_750, "750,000"],
    [990_001, "1 million"],
    [4_928_320, "5 million"],
    [1_900_001, "2 million"],
    [12_000_000, "12 million"],
    [586_349_398, "590 million"],
    [1_250_000_000, "1.3 billion"],
    [1_250_000_000_000, "1,300 billion"],
  ])("of what is still needed %d reads %s, as in backend/tests/domain/test_needed.py", (amount, wanted) => {
    expect(plain(formatNeeded(amount))).toBe(wanted);
  });

  it("keeps small whole counts whole", () => {
    expect(formatCount(7)).toBe("7");
    expect(formatCount(999)).toBe("999");
    expect(formatCount(60_012)).toBe("60.0k");
  });

  it("sizes in binary units", () => {
    expect(plain(formatBytes(1536))).toBe("1.50 KiB");
    expect(plain(formatBytes(4 * 1024 ** 3))).toBe("4 GiB");
    expect(plain(formatBytes(0))).toBe("0 B");
  });
});

describe("time", () => {
  it.each([
    [0, "00:00:00"],
    [761.9, "00:12:41"],
    [86_400, "24:00:00"],
    [400_000, "111:06:40"],
  ])("%d s on the clock is %s", (value, wanted) => {
    expect(formatClock(value * NS_PER_SECOND)).toBe(wanted);
  });

  it.each([
    [0.25, "250 ms"],
    [2.5, "2.50 s"],
    [30, "30 s"],
    [59.7, "1 min"],
    [600, "10 min"],
    [84_960, "23 h 36 min"],
    [86_400, "24 h"],
    [187_200, "2 d 4 h"],
  ])("%d s in words is %s", (value, wanted) => {
    expect(plain(formatSpan(value * NS_PER_SECOND))).toBe(wanted);
  });

  it.each([
    [-4000, "just now"],
    [4000, "just now"],
    [12_000, "12 s ago"],
    [3_599_000, "59 min ago"],
    [7_200_000, "2 h ago"],
    [200_000_000, "2 d ago"],
  ])("%d ms back is %s", (value, wanted) => {
    expect(plain(formatAgo(value))).toBe(wanted);
  });
});

describe("a clause as a sentence", () => {
  it.each([
    ["the buckets allow less", "The buckets allow less"],
    ["3 % of 100 reads took 1 ms", "3 % of 100 reads took 1 ms"],
    ["pgl.5494 ends in the middle", "pgl.5494 ends in the middle"],
    ["logs/a_b: not read", "logs/a_b: not read"],
    ["no distribution", "No distribution"],
  ])("%s is %s", (clause, written) => {
    expect(sentence(clause)).toBe(written);
  });

  it("keeps numbers by their units, and shows no marks of code", () => {
    expect(unbroken("neither `read` within 1 ms")).toBe("neither read within 1\u00a0ms");
  });
});

it("a printed date is a day where it is in ISO 8601, and stays as printed elsewhere", () => {
  expect(dayAsPrinted("2019-11-24")).toBe("24 Nov 2019");
  expect(dayAsPrinted("2026-11-20T17:00:00+00:00")).toBe("20 Nov 2026");
  expect(dayAsPrinted("11/10/12")).toBe("11/10/12");
  expect(dayAsPrinted("© 2025")).toBe("© 2025");
});
