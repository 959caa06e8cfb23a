// Formats prices and costs: both bounds if they differ, the unit of use, date and source.
import type { LeaderboardRow, RecordCost, Schemas } from "@/api/types";
import { formatDay, formatInteger, joinParts } from "@/lib/format";
import { type Direction, toFigures } from "@/lib/rounding";

const NBSP = "\u00a0";
const OLD_MS = 365 * 86_400_000;

export type Ends = { readonly lower: number; readonly upper: number };

export type PriceLike = Schemas["PriceOut"];

export type CostLike = Pick<LeaderboardRow, "price" | "price_per_ktps" | "price_per_thousand_transactions">;

type Unit = Pick<PriceLike, "currency" | "per">;

/** Returns the currency with its unit of use: `EUR`, `USD/hour`. */
export const moneyUnit = ({ currency, per }: Unit): string => (per === null ? currency : `${currency}/${per}`);

const moneyText = ({ lower, upper }: Ends, unit: Unit, figure: (value: number, direction: Direction) => string) => {
  const isPoint = lower === upper;
  const [from, to] = [figure(lower, isPoint ? "nearest" : "down"), figure(upper, isPoint ? "nearest" : "up")];
  return `${from === to ? from : `${from}–${to}`}${NBSP}${moneyUnit(unit)}`;
};

/** Formats a price with all its digits, the same on all pages: `1,140 EUR`, `12–14 USD`, `0.624 USD/hour`. */
export const priceText = (price: Ends & Unit): string =>
  moneyText(price, price, (value) => {
    const isWhole = Number.isInteger(value);
    return value.toLocaleString("en-GB", {
      minimumFractionDigits: isWhole ? 0 : 2,
      maximumFractionDigits: isWhole ? 0 : 4,
    });
  });

/** Formats a cost with three significant figures, rounded outward. More figures would suggest a quotation. */
export const costText = (cost: Ends, unit: Unit): string =>
  moneyText(cost, unit, (value, direction) => {
    const rounded = Number(toFigures(value, direction, 3));
    return rounded < 1_000 ? String(rounded) : formatInteger(rounded);
  });

/** Returns a note on an old price, `price of 2021`; `null` for prices of the last twelve months. */
export const priceAge = ({ date }: Pick<PriceLike, "date">, now = Date.now()): string | null =>
  date !== null && now - Date.parse(date) > OLD_MS ? `price of ${date.slice(0, 4)}` : null;

/** Returns date, region, terms and source of a price: `16 Jul 2026, us-east-1, Linux, Cloudspecs database`. */
export const priceMeaning = ({
  date,
  region,
  terms,
  source,
}: Pick<PriceLike, "date" | "region" | "terms" | "source">): string =>
  joinParts([date === null ? null : formatDay(date), region, terms, source], ", ");

/** Returns a sort key: within one currency and unit, by upper bound. `undefined` without a cost. */
export const costKey = (price: PriceLike | null, cost: Ends | null): string | undefined =>
  price === null || cost === null
    ? undefined
    : `${price.per === null ? 0 : 1} ${moneyUnit(price)} ${cost.upper.toFixed(9).padStart(24, "0")}`;

export type CostParts = {
  readonly price: string;
  readonly age: string | null;
  readonly cost: string | null;
  readonly per: string | null;
  readonly meaning: string;
};

/** Returns a row's price and its cost per 1,000 transactions or operations a second; `null` without a price. */
export function costParts(row: CostLike): CostParts | null {
  const { price, price_per_ktps: perLoad, price_per_thousand_transactions: perTransactions } = row;
  if (price === null) return null;
  const ends = perTransactions ?? perLoad;
  const cost = ends === null ? null : costText(ends, price);
  return {
    price: priceText(price),
    age: priceAge(price),
    cost,
    per: cost === null ? null : `${cost} per ${perTransactions === null ? "kTPS" : "1,000 transactions/s"}`,
    meaning: priceMeaning(price),
  };
}

/** Returns a configuration's cost and its unit: per million transactions if rented, else per 1,000 a second. */
export function recordCostText(cost: RecordCost): { readonly text: string; readonly unit: string } {
  const { price, price_per_million_transactions: perMillion, price_per_thousand_transactions: perThousand } = cost;
  if (perMillion !== null)
    return {
      text: `${costText(perMillion, { ...price, per: null })} per million`,
      unit: "Cost of 1,000,000 transactions",
    };
  const ends = perThousand ?? cost.price_per_ktps;
  return {
    text: ends === null ? "" : `${costText(ends, price)} for 1,000/s`,
    unit: `Cost of 1,000 ${perThousand === null ? "operations" : "transactions"} a second`,
  };
}
