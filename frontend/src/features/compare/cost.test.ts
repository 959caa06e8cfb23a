import { describe, expect, it } from "vitest";
import type { LeaderboardRow } from "@/api/types";
import { commonConditions, costSentence, pointsOf } from "./Cost";

const row = (name: string, cost: number | null, watts: number | null, currency = "EUR") =>
  ({
    row_id: name,
    capacity_bytes: null,
    drive: { slug: name, vendor: "V", name },
    price: {
      lower: 1,
      upper: 1,
      currency,
      per: null,
      region: null,
      terms: null,
      date: null,
      source: null,
      publication: null,
    },
    rating: { passed_load: 3 },
    price_per_thousand_transactions: cost === null ? null : { lower: cost, upper: cost },
    watts_per_thousand_transactions: watts,
    price_per_ktps: null,
    watts_per_ktps: null,
  }) as unknown as LeaderboardRow;

describe("money and power for a load", () => {
  it("names the drives that none beats in both", () => {
    const points = pointsOf([row("a", 2, 5), row("b", 1, 9), row("c", 3, 6), row("d", 2, 5)], true);
    expect(points.map(({ name, unbeaten }) => [name, unbeaten])).toStrictEqual([
      ["V b", true],
      ["V a", true],
      ["V d", true],
      ["V c", false],
    ]);
    expect(costSentence(points, "1,000 transactions/s", 3)).toBe(
      "3 of 4 drives with a price are not beaten in both money and power for 1,000 transactions/s.",
    );
  });

  it("asks where most drives have a cost, and compares nothing across conditions", () => {
    const under = (generation: string, name: string, cost: number | null) =>
      ({
        ...row(name, cost, 5),
        metric_class: "unstated",
        generation,
        over_provisioning: { class: "unstated", usable_ratio: null, as_printed: null },
      }) as unknown as LeaderboardRow;
    const rows = [under("6+", "a", 2), under("2-5", "b", 2), under("2-5", "c", 3), under("6+", "d", null)];
    expect(commonConditions(rows, true)).toStrictEqual({ metric: ["unstated"], op: ["unstated"], generation: ["2-5"] });
    expect(commonConditions([], true)).toStrictEqual({});
  });

  it("compares own prices, also where documents state more prices of another kind", () => {
    const documented = (name: string) => {
      const known = row(name, 1, 5, "USD");
      return { ...known, price: { ...known.price, publication: "a-document" } } as LeaderboardRow;
    };
    const rows = [documented("a"), documented("b"), row("c", 2, 5)];
    expect(pointsOf(rows, true).map(({ name }) => name)).toStrictEqual(["V c"]);
    expect(pointsOf(rows.slice(0, 2), true)).toHaveLength(2);
  });

  it("leaves out what is not known, and other currencies", () => {
    const points = pointsOf(
      [row("a", null, 5), row("b", 1, null), row("c", 3, 6), row("d", 2, 5), row("e", 1, 1, "USD")],
      true,
    );
    expect(points.map(({ name, unbeaten }) => [name, unbeaten])).toStrictEqual([
      ["V b", null],
      ["V d", true],
      ["V c", false],
    ]);
    expect(costSentence(points, "the load", 1)).toContain("V d needs the least money and the least power");
    expect(costSentence(pointsOf([], false), "the load", 0)).toContain("no drive here has a price");
    expect(costSentence([], "the load", 2)).toContain("no test proves");
  });

  it("compares money alone where no power is known, and only what is paid for alike", () => {
    const rented = (name: string, lower: number, upper: number, per: string | null = "hour") => {
      const known = row(name, lower, null);
      return {
        ...known,
        price: { ...known.price, per },
        price_per_thousand_transactions: { lower, upper },
      } as LeaderboardRow;
    };
    const points = pointsOf([rented("a", 2, 2), rented("b", 1, 1.5), rented("c", 0.1, 0.1, null)], true);
    expect(points.map(({ name }) => name)).toStrictEqual(["V b", "V a"]);
    expect(costSentence(points, "the load", 3)).toBe(
      "V b costs least for the load, of 2 with a price. Their power is not known.",
    );
    const ties = pointsOf([rented("a", 1, 2), rented("b", 1.5, 3)], true);
    expect(costSentence(ties, "the load", 2)).toBe("2 of 2 drives with a price tie for the least money for the load.");
  });
});
