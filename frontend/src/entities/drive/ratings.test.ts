import { describe, expect, it } from "vitest";
import {
  formatCapacity,
  limitWords,
  loadText,
  rankMeaning,
  rankText,
  ratingMeaning,
  ratingText,
  shareRangeText,
  triesText,
} from "./ratings";

const plain = (text: string | null): string | null => text?.replaceAll("\u00a0", " ") ?? null;
const rating = (passed_load: number | null, failed_load: number | null, never_tested_above = false) => ({
  passed_load,
  failed_load,
  never_tested_above,
});

describe("a rating", () => {
  it("is the interval from the highest load passed to the lowest failed", () => {
    expect(ratingText(rating(3, 6))).toBe("Holds 3x · fails 6x");
    expect(ratingMeaning(rating(3, 6))).toBe("passed at 3x, failed at 6x");
  });

  it("stays open above where nothing failed, and says whether that was tested", () => {
    expect(ratingText(rating(6, null, true))).toBe("Holds 6x");
    expect(ratingMeaning(rating(6, null, true))).toBe("passed at 6x, never tested above");
    expect(ratingMeaning(rating(6, null, false))).toBe("passed at 6x; above it no test decides");
  });

  it("begins at nothing where no load was passed, and is none without a test that decides", () => {
    expect(ratingText(rating(null, 3))).toBe("Fails 3x");
    expect(ratingMeaning(rating(null, 3))).toBe("failed at 3x; no lower load is known that it passes");
    expect(ratingText(rating(null, null))).toBeNull();
    expect(ratingMeaning(rating(null, null))).toBe("no test decides it");
  });
});

describe("a rank", () => {
  it("is a range where ratings overlap", () => {
    expect(rankText({ best: 1, worst: 4, among: 10 })).toBe("1–4");
    expect(rankMeaning({ best: 1, worst: 4, among: 10 })).toContain("anywhere from place 1 to 4 of 10");
    expect(rankText({ best: 2, worst: 2, among: 10 })).toBe("2");
    expect(rankMeaning({ best: 2, worst: 2, among: 10 })).toBe("place 2 of 10");
  });
});

describe("a share with two ends", () => {
  const range = (lower_ratio: number, upper_ratio: number) => ({ threshold_ns: 1e6, lower_ratio, upper_ratio });

  it("is rounded outwards, and one number only where the ends are one", () => {
    expect(plain(shareRangeText(range(0.05351, 0.05449), []))).toBe("5.3–5.5 %");
    expect(plain(shareRangeText(range(0.054, 0.054), []))).toBe("5.4 %");
    expect(plain(shareRangeText(range(0, 0), []))).toBe("0 %");
  });

  it("is not rounded across its limit", () => {
    const limits = [{ threshold_ns: range(0, 0).threshold_ns, limit_ratio: 0.05 }];
    expect(plain(shareRangeText(range(0.04975, 0.04985), limits))).toBe("4.9–4.99 %");
    expect(plain(shareRangeText(range(0.05005, 0.05015), limits))).toBe("5.005–5.1 %");
    expect(plain(shareRangeText(range(0, 0.04985), limits))).toBe("≤ 4.99 %");
    expect(plain(shareRangeText(range(0.05005, 1), [{ threshold_ns: 64_000_000, limit_ratio: 0.05 }]))).toBe("≥ 5 %");
  });

  it("says which side is known, and nothing where neither is", () => {
    expect(plain(shareRangeText(range(0, 0.05449), []))).toBe("≤ 5.5 %");
    expect(plain(shareRangeText(range(0.05351, 1), []))).toBe("≥ 5.3 %");
    expect(shareRangeText(range(0, 1), [])).toBeNull();
    expect(shareRangeText(range(1e-9, 1), [])).toBeNull();
    expect(plain(shareRangeText(range(1e-9, 0.5), []))).toBe("≤ 50 %");
  });
});

it("loads, limits and capacities read as people write them", () => {
  expect(loadText(6)).toBe("6x");
  expect(loadText(62.5)).toBe("62.5x");
  expect(loadText(45.166_667)).toBe("45.17x");
  expect(plain(limitWords({ threshold_ns: 1_000_000, limit_ratio: 0.05 }))).toBe("< 5 % over 1 ms");
  expect(plain(formatCapacity(400e9))).toBe("400 GB");
  expect(plain(formatCapacity(1.6e12))).toBe("1.6 TB");
  expect(plain(formatCapacity(1.92e12))).toBe("1.92 TB");
  expect(plain(formatCapacity(3.84e12))).toBe("3.84 TB");
  expect(plain(formatCapacity(15.36e12))).toBe("15.36 TB");
  expect(plain(formatCapacity(122.88e12))).toBe("122.88 TB");
  expect(plain(formatCapacity(480103981056))).toBe("480 GB");
  expect(plain(formatCapacity(512))).toBe("512 B");
});

it("tries are said where more runs were made than published", () => {
  expect(triesText({ runs_made: 5, runs_published: 1 })).toBe("5 runs made, 1 published");
  expect(triesText({ runs_made: 1, runs_published: 1 })).toBeNull();
  expect(triesText({ runs_made: null, runs_published: 1 })).toBeNull();
});
