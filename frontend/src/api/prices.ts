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
  void queries.invalidateQueries({ queryKey: publishedKey });
  void queries.invalidateQueries({ queryKey: leaderboardKeys.all });
  void queries.invalidateQueries({ queryKey: driveKeys.all });
  void queries.invalidateQueries({ queryKey: slaKeys.all });
}

/** Replaces the price list with a CSV. An invalid row rejects the whole list. */
export async function storePrices(queries: QueryClient, csv: string): Promise<void> {
  changed(queries, await unwrap(client.PUT("/api/v1/price-list", { body: { csv } })));
}

export async function removePrice(queries: QueryClient, { slug, capacity_bytes }: PriceEntry): Promise<void> {
  const path = { slug, capacity_bytes: capacity_bytes ?? EVERY_CAPACITY };
  changed(queries, await unwrap(client.DELETE("/api/v1/price-list/{slug}/{capacity_bytes}", { params: { path } })));
}
