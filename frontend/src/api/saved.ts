// Saved items of an account. Items that the browser stored before sign-in are added at the first fetch.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { savedText, saveText } from "@/lib/storage";
import { client, get, storeAnswer, unwrap } from "./client";
import type { Schemas } from "./types";

export type SavedItem = Schemas["SavedItem"];
type SavedChange = { add?: SavedItem[]; remove?: string[] };

const savedKey = ["saved"] as const;

const change = (body: SavedChange) => client.PATCH("/api/v1/me/saved", { body });

/** Returns the account's saved items. `read` parses the items stored in this browser. */
export const savedQuery = (read: (stored: string) => SavedItem[]) =>
  queryOptions({
    queryKey: savedKey,
    queryFn: async ({ signal }) => {
      const own = read(savedText());
      if (own.length === 0) return get("/api/v1/me/saved", {}, signal);
      const stored = await unwrap(change({ add: own }));
      // Cleared only after the account stores the items, so that a failure loses none.
      saveText("");
      return stored;
    },
    staleTime: 30_000,
  });

export const changeSaved = (queries: QueryClient, body: SavedChange) => storeAnswer(queries, savedKey, change(body));
