// The organisation's price list, which affects drive costs on all pages, and published prices.
import type { QueryClient } from "@tanstack/react-query";
import { client, getQuery, unwrap } from "./client";
import { driveKeys } from "./drivePage";
import { leaderboardKeys } from "./leaderboard";
import { slaKeys } from "./sla";
import type { Schemas } from "./types";

export type PriceEntry = Schemas["PriceEntryOut"];
export type PublishedPrice = Schemas["PublishedPriceOut"];
const EVERY_CAPACITY = 0;
const key = ["price-list"] as const;
const publishedKey = ["published-prices"] as const;

export const pricesQuery = () => getQuery(key, "/api/v1/price-list", {});

export const publishedPricesQuery = () => getQuery(publishedKey, "/api/v1/price-list/published", {});

function changed(queries: QueryClient, list: Schemas["PriceListOut"]): void {
  queries.setQueryData(key, list);
  for (const queryKey of [publishedKey, leaderboardKeys.all, driveKeys.all, slaKeys.all])
    void queries.invalidateQueries({ queryKey });
}

/** The file is a workbook, or text in UTF-16. */
class NoText extends Error {
  readonly title = "The price list is no text in UTF-8";

  constructor() {
    super("Nothing was stored. In the spreadsheet, save the sheet as CSV in UTF-8, and add that file.");
  }
}

/** Adds the prices of a CSV to the list. An invalid row rejects all of them. */
export async function storePrices(queries: QueryClient, csv: Blob): Promise<void> {
  const text = await csv.text();
  if (text.includes("\0")) throw new NoText();
  changed(queries, await unwrap(client.PUT("/api/v1/price-list", { body: { csv: text } })));
}

export async function removePrice(queries: QueryClient, { slug, capacity_bytes }: PriceEntry): Promise<void> {
  const path = { slug, capacity_bytes: capacity_bytes ?? EVERY_CAPACITY };
  changed(queries, await unwrap(client.DELETE("/api/v1/price-list/{slug}/{capacity_bytes}", { params: { path } })));
}
