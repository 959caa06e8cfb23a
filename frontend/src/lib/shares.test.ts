import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactShare, provenShareText, shareEndText, shareText } from "./shares";

type Golden = {
  readonly lower: number;
  readonly upper: number;
  readonly limit: number | null;
  readonly counted: boolean;
  readonly text: string;
  readonly why: string;
};

const GOLDEN = resolve(import.meta.dirname, "../../../docs/contracts/golden/shares.json");
const { shares } = JSON.parse(readFileSync(GOLDEN, "utf8")) as { shares: readonly Golden[] };
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

describe("a share as per cent", () => {
  it.each(shares)(
    "is written as the server writes it: $lower to $upper, $why",
    ({ lower, upper, text, ...options }) => {
      expect(plain(shareText(lower, upper, options))).toBe(text);
    },
  );

  it("has ends that claim no more than is known", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const read = (text: string): number => Number(plain(text).replace(" %", "")) / 100;
        expect(read(shareEndText(share, "down"))).toBeLessThanOrEqual(share + 1e-14);
        expect(read(shareEndText(share, "up"))).toBeGreaterThanOrEqual(share - 1e-14);
      }),
    );
  });

  it("is no range where nothing is proven below", () => {
    const texts = [
      [0, 0.041],
      [0.04, 0.041],
      [0, 1],
    ].map(([lower = 0, upper = 0]) => plain(provenShareText(lower, upper)));
    expect(texts).toEqual(["at most 4.1 %", "4–4.1 %", "0–100 %"]);
  });

  it("keeps every digit of an objective, and never makes it all", () => {
    expect(plain(exactShare(0.9999999999999))).toBe("99.99999999999 %");
    expect(plain(exactShare(1 - 0.95))).toBe("5 %");
    expect(plain(exactShare(0.1 + 0.2))).toBe("30 %");
    expect(plain(exactShare(1))).toBe("100 %");
  });
});
