// Saved items of a person's account. Items that their browser saved before they signed in are added at the first fetch.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { savedText, saveText } from "@/lib/savedStore";
import { client, unwrap } from "./client";
import type { components } from "./generated/schema";

export type SavedItem = components["schemas"]["SavedItem"];
export type SavedChange = { add?: SavedItem[]; remove?: string[] };

const savedKey = ["saved"] as const;

const change = (body: SavedChange) => unwrap(client.PATCH("/api/v1/me/saved", { body }));

/** `read` understands what this browser has stored. */
export const savedQuery = (read: (stored: string) => SavedItem[]) =>
  queryOptions({
    queryKey: savedKey,
    queryFn: async ({ signal }) => {
      const own = read(savedText());
      if (own.length === 0) return unwrap(client.GET("/api/v1/me/saved", { signal }));
      const stored = await change({ add: own });
      // Only now: items that the account has not stored stay here.
      saveText("");
      return stored;
    },
    staleTime: 30_000,
  });

export async function changeSaved(queries: QueryClient, body: SavedChange): Promise<void> {
  queries.setQueryData(savedKey, await change(body));
}
