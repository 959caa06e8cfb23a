import { describe, expect, it } from "vitest";
import { costKey, costParts, costText, type PriceLike, priceAge, priceText, recordCostText } from "./cost";

const USD = { currency: "USD", per: null };
const PRICE: PriceLike = {
  ...{ lower: 0.624, upper: 0.624, currency: "USD", per: "hour" as const, region: "us-east-1", terms: "Linux" },
  ...{ date: "2026-07-16", source: "Cloudspecs", publication: "cloudspecs-2026" },
};

describe("money", () => {
  it("is one number or both ends, with its unit of use", () => {
    expect(priceText({ ...USD, lower: 12, upper: 14 })).toBe("12–14\u00a0USD");
    expect(priceText({ ...USD, lower: 349.9, upper: 349.9 })).toBe("349.90\u00a0USD");
    expect(priceText(PRICE)).toBe("0.624\u00a0USD/hour");
  });

  it("of a cost has three figures, rounded outwards", () => {
    expect(costText({ lower: 11.111, upper: 11.111 }, USD)).toBe("11.1\u00a0USD");
    expect(costText({ lower: 11.116, upper: 13.111 }, USD)).toBe("11.1–13.2\u00a0USD");
    expect(costText({ lower: 0.0384, upper: 0.0384 }, PRICE)).toBe("0.0384\u00a0USD/hour");
  });

  it("says its age after a year", () => {
    const now = Date.parse("2026-11-29");
    expect(priceAge({ date: "2013-05-31" }, now)).toBe("price of 2013");
    expect(priceAge({ date: "2026-07-16" }, now)).toBeNull();
    expect(priceAge({ date: null }, now)).toBeNull();
  });

  it("is ordered among its own kind, what is bought before what is rented", () => {
    const keys = [
      costKey(PRICE, { lower: 2, upper: 10 }),
      costKey(PRICE, { lower: 3, upper: 9 }),
      costKey({ ...PRICE, per: null }, { lower: 500, upper: 500 }),
    ];
    expect([...keys].sort()).toEqual([keys[2], keys[1], keys[0]]);
    expect(costKey(PRICE, null)).toBeUndefined();
  });

  it("of a row is its price and the cost of its load", () => {
    const row = { price: PRICE, price_per_ktps: { lower: 0.052, upper: 0.052 }, price_per_thousand_transactions: null };
    expect(costParts(row)).toMatchObject({
      price: "0.624\u00a0USD/hour",
      cost: "0.052\u00a0USD/hour",
      per: "0.052\u00a0USD/hour per kTPS",
      meaning: "16 Jul 2026, us-east-1, Linux, Cloudspecs",
    });
    expect(costParts({ ...row, price: null })).toBeNull();
  });

  it("of a record is of a million transactions where it is rented, else of 1,000 a second", () => {
    const ends = { lower: 1.8, upper: 1.8 };
    const perLoad = { price_per_ktps: { lower: 0.4, upper: 0.4 }, price_per_thousand_transactions: ends };
    const rented = { ...perLoad, price: PRICE, price_per_million_transactions: { lower: 0.5, upper: 0.5 } };
    expect(recordCostText(rented).text).toBe("0.5\u00a0USD per million");
    const bought = { ...rented, price: { ...PRICE, per: null }, price_per_million_transactions: null };
    expect(recordCostText(bought)).toEqual({
      text: "1.8\u00a0USD for 1,000/s",
      unit: "Cost of 1,000 transactions a second",
    });
    expect(recordCostText({ ...bought, price_per_thousand_transactions: null })).toEqual({
      text: "0.4\u00a0USD for 1,000/s",
      unit: "Cost of 1,000 operations a second",
    });
  });
});
