// Parsing of questions from URLs: a transaction, limits, or none; and the resulting API parameters.
import { describe, expect, it } from "vitest";
import { fullSearch } from "./address";
import { asksOwn, readReaderQuestion } from "./readerQuestion";

describe("the question of an address", () => {
  it("is none where the address names none", () => {
    expect(asksOwn({})).toBe(false);
  });

  it("is a transaction, with defaults for what is not named", () => {
    const { question: asked } = readReaderQuestion({ reads: 100, window: "500 ms", reserve: 0 });
    expect(asked?.kind).toBe("transaction");
    expect(asked?.text).toMatch(/^100 reads one after another within 500\sms, for 99\.9\s% of transactions$/);
    expect(asked?.leaderboard).toMatchObject({ reads: 100, window_ns: 500_000_000, reserve_ns: 0 });
    expect(asked?.budget.document).toMatchObject({ kind: "transaction", window_ns: 500_000_000 });
  });

  it("is limits where there are some, also beside a transaction", () => {
    const { question: asked } = readReaderQuestion({ reads: 100, limits: "1ms_5*8ms_1" });
    expect(asked?.kind).toBe("limits");
    expect(asked?.leaderboard).toEqual({ limits: "1000000:0.05,8000000:0.01" });
    expect(asked?.budget.document).toMatchObject({
      kind: "exceedance",
      limits: [
        { threshold_ns: 1_000_000, ratio: 0.05 },
        { threshold_ns: 8_000_000, ratio: 0.01 },
      ],
    });
  });

  it("is asked of nobody while a field cannot be read", () => {
    const broken = readReaderQuestion({ reads: 100, window: "soon" });
    expect(broken.question).toBeNull();
    expect(broken.problems.window).toBeDefined();
    expect(readReaderQuestion({ limits: "1ms_" }).question).toBeNull();
  });

  it("is taken out of an address that is written as a whole", () => {
    expect(fullSearch({ reads: 5 })).toMatchObject({ reads: 5, limits: undefined, window: undefined });
  });
});
