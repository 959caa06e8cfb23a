import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Stores a mutation's response in the cache. Cancels pending requests, which may return older data. */
export async function replaceAnswer<Answer>(queries: QueryClient, queryKey: QueryKey, answer: Answer): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData(queryKey, answer);
}
