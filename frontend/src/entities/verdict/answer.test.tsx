import { screen } from "@testing-library/react";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import {
  answerSentence,
  boundsText,
  boundText,
  briefOf,
  evidenceText,
  type Meter,
  needsExact,
  type Room,
  roomEnds,
  roomOf,
  type Sentence,
} from "./answer";
import { EvidenceMeter } from "./EvidenceDetails";
import { RoomBar } from "./RoomBar";
import { ScopeBar } from "./ScopeBar";
import { VerdictBadge, VerdictLine } from "./VerdictBadge";
import { type Judged, verdictRank, verdictText, weakenings } from "./words";

const plainText = ({ before, key, after }: Sentence): string => `${before}${key}${after}`;

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
  ways: [{ way: "time", amount: 35e9, unit: "ns", text: "35 s more" }],
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
  it("gives the time and the room of a PASS, the missing time of a FAIL", () => {
    const pass = { verdict: "PASS", strength: "observed" } as const;
    expect(plain(plainText(answerSentence(pass, room({ what: "20 reads" }), null)))).toBe(
      "20 reads end within 26 ms, with at least 574 ms to spare.",
    );
    const late = room({ verdict: "FAIL", usedLowerNs: 3_000 * MS, usedUpperNs: null, what: "20 reads" });
    expect(plain(plainText(answerSentence({ verdict: "FAIL" }, late, null)))).toBe(
      "Too slow: 20 reads take at least 3 s, 2.4 s too long.",
    );
  });

  it("agrees with one operation", () => {
    const late = room({ verdict: "FAIL", usedLowerNs: 3_000 * MS, usedUpperNs: null, what: "1 read" });
    expect(plain(plainText(answerSentence({ verdict: "FAIL" }, late, null)))).toBe(
      "Too slow: 1 read takes at least 3 s, 2.4 s too long.",
    );
    const pass = { verdict: "PASS", strength: "observed" } as const;
    expect(plain(plainText(answerSentence(pass, room({ what: "1 read" }), null)))).toMatch(/^1 read ends within/);
  });

  it("says what is known where the window lies between the bounds, else the share, else the reason", () => {
    const open = { verdict: "INDETERMINATE", reason: "resolution" } as const;
    const between = room({ verdict: "INDETERMINATE", usedLowerNs: 500 * MS, usedUpperNs: 700 * MS });
    expect(plain(plainText(answerSentence(open, between, null)))).toBe(
      "The reads take 500–700 ms, and 600 ms are allowed.",
    );
    expect(plain(plainText(answerSentence(open, null, "3 % take 1 ms or longer; less than 5 % asked")))).toBe(
      "3 % take 1 ms or longer; less than 5 % asked.",
    );
    expect(plainText(answerSentence(open, null, null))).toBe("Undecided: buckets too coarse.");
  });

  it("never rounds the time of the reads across the window", () => {
    const close = room({ reserveNs: 0, usedLowerNs: 990 * MS, usedUpperNs: 999.6 * MS, what: "250 reads" });
    expect(plain(plainText(answerSentence({ verdict: "PASS" }, close, null)))).toBe(
      "250 reads end within 999.6 ms, with at least 400 µs to spare.",
    );
  });

  it("knows a quick answer that only its coarse steps leave open", () => {
    const way = { way: "exact_calculation", amount: 1, unit: "count", text: "the exact calculation" } as const;
    const quick: Meter = { ...meter, share: null, ways: [way] };
    expect([needsExact(quick), needsExact(meter)]).toEqual([true, false]);
  });

  it("never says that all of the evidence is there while it is not", () => {
    expect(plain(evidenceText(0.9999))).toBe("99 %");
    expect(plain(evidenceText(0.004))).toBe("0.4 %");
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
      "Reads take 18–26 ms, room left 574–582 ms, 400 ms kept for scoring, deadline 1 s",
    );
  });

  it("names an open end as one", () => {
    show(<RoomBar room={room({ verdict: "INDETERMINATE", usedUpperNs: null })} />);
    expect(plain(screen.getByRole("img").getAttribute("aria-label") ?? "")).toContain(
      "Reads take at least 18 ms, room left at most 582 ms",
    );
  });
});

describe("the evidence meter", () => {
  it("shows what is there, what is needed and the ways", () => {
    show(<EvidenceMeter meter={meter} verdict="PASS" />);
    expect(screen.getByText("540,000")).toBeTruthy();
    expect(screen.getByText("750,000")).toBeTruthy();
    expect(screen.getByText("35 s more")).toBeTruthy();
  });
});

describe("a verdict and its strength", () => {
  const proven = { verdict: "PASS", strength: "proven", words: "PASS, proven" } as const;
  const observed = { verdict: "PASS", strength: "observed", words: "PASS in this run" } as const;
  const open = { verdict: "INDETERMINATE", strength: null, reason: "resolution" } as const;
  const missed = { verdict: "FAIL", strength: "observed" } as const;
  const refuted = { verdict: "FAIL", strength: "proven" } as const;

  it.each<[Judged, "run" | "test", string]>([
    [proven, "run", "PASS, proven"],
    [observed, "run", "PASS in this run"],
    [observed, "test", "PASS in its test"],
    [{ ...observed, provisional: true }, "run", "PASS so far"],
    [{ ...proven, provisional: true }, "run", "PASS so far"],
    [open, "run", "Undecided: buckets too coarse"],
    [missed, "run", "FAIL in this run"],
    [missed, "test", "FAIL in its test"],
    [refuted, "run", "FAIL, proven"],
    [{ verdict: "PASS" }, "run", "PASS"],
  ])("%j of a %s reads %s", (of, scope, words) => {
    expect(verdictText(of, scope)).toBe(words);
    show(<VerdictBadge of={of} scope={scope} />);
    expect(
      screen.getByText((_, element) => element?.tagName === "SPAN" && element.textContent === words, {
        ignore: "[data-verdict]",
      }),
    ).toBeTruthy();
  });

  it("reads without colour: the shape is the verdict, the fill the strength", () => {
    const shapeOf = (of: Judged) => {
      const { container, unmount } = show(<VerdictBadge of={of} />);
      const mark = container.querySelector("svg[data-verdict]");
      const shape = {
        outline: mark?.querySelector("rect") ? "square" : "circle",
        isDashed: mark?.querySelector("[stroke-dasharray]") !== null,
        isFilled: mark?.hasAttribute("data-filled"),
      };
      unmount();
      return shape;
    };
    expect(shapeOf(proven)).toEqual({ outline: "circle", isDashed: false, isFilled: true });
    expect(shapeOf(observed)).toEqual({ outline: "circle", isDashed: false, isFilled: false });
    expect(shapeOf(open)).toEqual({ outline: "circle", isDashed: true, isFilled: false });
    expect(shapeOf(missed)).toEqual({ outline: "square", isDashed: false, isFilled: false });
    expect(shapeOf(refuted)).toEqual({ outline: "square", isDashed: false, isFilled: true });
    expect(shapeOf({ ...proven, provisional: true })).toMatchObject({ isFilled: false });
  });

  it("has one order everywhere", () => {
    expect([refuted, open, observed, missed, proven].sort((a, b) => verdictRank(a) - verdictRank(b))).toEqual([
      proven,
      observed,
      open,
      missed,
      refuted,
    ]);
  });

  it("stands in one line with what weakens it", () => {
    const validity = { slices: 3, doubtful: 3, is_known: true };
    show(<VerdictLine of={observed} fact="30 s" weakenings={weakenings({ closed_loop: true, validity })} />);
    const line = screen.getByText("30 s").parentElement;
    expect(line?.textContent).toBe(
      "PASS in this run30 s3 of 3 slices unreliableclosed loop: requests that would have waited are not in the file",
    );
  });
});

describe("both scopes on one scale", () => {
  it("say what this run shows and what it proves, with the limit between them never crossed", () => {
    const scope = (verdict: "PASS" | "INDETERMINATE", lower: number, upper: number) => ({ verdict, lower, upper });
    show(
      <ScopeBar
        observed={scope("PASS", 0.030097, 0.030097)}
        proven={scope("INDETERMINATE", 0.00703, 0.0819)}
        objective={0.05}
        more={false}
        what="reads of 1 ms or longer"
        counted
      />,
    );
    const text = plain(screen.getByRole("region").textContent ?? "");
    expect(text).toContain("This run kept it3 %");
    expect(text).toContain("The next run is not proven0.7–8.2 %, 95 % confidence");
    expect(text).toContain("< 5 % asked");
  });
});

describe("an answer in a list", () => {
  const undecided = {
    budget_name: "fraud-250-sequential",
    budget_title: "250 reads in 1 s",
    verdict: "INDETERMINATE",
    provisional: false,
    headline: "99.9999 % or more of transactions keep 1 s; 99.9 % asked",
    reason_text: "too few reads for a PASS: 20,000 are 80 transactions’ worth, of at least 100",
  } as const;

  it("says how many operations are missing, where there are too few", () => {
    const brief = plain(briefOf({ ...undecided, reason: "samples" }) ?? "");
    expect(brief).toContain("20,000 are 80 transactions’ worth, of at least 100");
    expect(brief).not.toContain("99.9999");
  });

  it("shows the interval, where that is too wide", () => {
    expect(plain(briefOf({ ...undecided, reason: "resolution" }) ?? "")).toContain("99.9999 % or more");
  });
});
