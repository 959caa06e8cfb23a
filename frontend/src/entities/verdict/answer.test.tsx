import { screen } from "@testing-library/react";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import {
  answerSentence,
  boundsText,
  boundText,
  type Meter,
  needsExact,
  type Room,
  roomEnds,
  roomOf,
  shareText,
  spoken,
} from "./answer";
import { EvidenceMeter } from "./EvidenceMeter";
import { RoomBar } from "./RoomBar";

const MS = 1_000_000;
const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const room = (changes: Partial<Room> = {}): Room => ({
  verdict: "PASS",
  windowNs: 1000 * MS,
  reserveNs: 400 * MS,
  usedLowerNs: 18.2 * MS,
  usedUpperNs: 25.4 * MS,
  ...changes,
});
const meter: Meter = {
  share: 0.7213,
  effective: 540_000,
  needed: 748_559,
  unit: "operations",
  ways: [{ text: "35 s more" }],
};

describe("bounds in two figures", () => {
  it("are rounded outwards", () => {
    expect(plain(boundsText(18.2 * MS, 25.4 * MS))).toBe("18–26 ms");
    expect(plain(boundsText(574.6 * MS, 581.8 * MS))).toBe("570–590 ms");
    expect(plain(boundText(2_449 * MS, "down"))).toBe("2.4 s");
    expect(plain(boundText(996 * MS, "up"))).toBe("1 s");
  });

  it("never claim more than the value, at any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 1e13 }), (value) => {
        const read = (text: string): number => {
          const [digits, unit] = text.split("\u00a0");
          return Number(digits) * { s: 1e9, ms: 1e6, µs: 1e3, ns: 1 }[unit as "s"];
        };
        expect(read(boundText(value, "down"))).toBeLessThanOrEqual(value * (1 + 1e-9));
        expect(read(boundText(value, "up"))).toBeGreaterThanOrEqual(value * (1 - 1e-9));
      }),
    );
  });
});

describe("the sentence of an answer", () => {
  it("gives the room of a PASS, the missing time of a FAIL, the evidence of the others", () => {
    expect(plain(spoken(answerSentence(room(), null, null)))).toBe("It fits, with at least 570 ms to spare.");
    const late = room({ verdict: "FAIL", usedLowerNs: 3_000 * MS, usedUpperNs: null });
    expect(plain(spoken(answerSentence(late, null, null)))).toBe("Too slow: at least 2.4 s over the limit.");
    const open = room({ verdict: "INDETERMINATE" });
    expect(plain(spoken(answerSentence(open, meter, "samples")))).toBe(
      "Not shown yet: this run has 72 % of the operations needed.",
    );
    expect(spoken(answerSentence(open, null, "generator"))).toBe("Not shown: the load generator was late.");
    const quick = { ...meter, share: null, ways: [{ way: "exact_calculation", text: "the exact calculation" }] };
    expect(needsExact(quick)).toBe(true);
    expect(needsExact(meter)).toBe(false);
    expect(spoken(answerSentence(open, quick, "resolution"))).toBe(
      "Not shown: a quick calculation does not decide it.",
    );
  });

  it("never says that all of the evidence is there while it is not", () => {
    expect(plain(shareText(0.9999))).toBe("99 %");
    expect(plain(shareText(0.004))).toBe("0.400 %");
  });
});

describe("room and used time", () => {
  it("are two views of the same bounds", () => {
    const source = { window_ns: 1000 * MS, reserve_ns: 400 * MS, room_lower_ns: 230 * MS, room_upper_ns: 430 * MS };
    const found = roomOf("INDETERMINATE", source);
    expect(found).toMatchObject({ usedLowerNs: 170 * MS, usedUpperNs: 370 * MS });
    expect(roomEnds(found)).toEqual({ lowerNs: 230 * MS, upperNs: 430 * MS });
  });
});

describe("a room bar", () => {
  it("is read out with every part that it draws", () => {
    show(<RoomBar room={room()} size="hero" />);
    expect(plain(screen.getByRole("img").getAttribute("aria-label") ?? "")).toBe(
      "Reads take 18–26 ms, room left 570–590 ms, 400 ms kept for scoring, deadline 1 s",
    );
  });

  it("names an open end as one", () => {
    show(<RoomBar room={room({ verdict: "INDETERMINATE", usedUpperNs: null })} />);
    expect(plain(screen.getByRole("img").getAttribute("aria-label") ?? "")).toContain(
      "Reads take at least 18 ms, room left at most 590 ms",
    );
  });
});

describe("the evidence meter", () => {
  it("shows what is there, what is needed and the ways", () => {
    show(<EvidenceMeter meter={meter} />);
    expect(screen.getByText("540,000")).toBeTruthy();
    expect(screen.getByText("748,559")).toBeTruthy();
    expect(screen.getByText("35 s more")).toBeTruthy();
  });
});
