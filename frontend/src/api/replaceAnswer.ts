// Answers of changes in the cache of queries.
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Put the answer of a change into the cache. A request under way is ended: its answer may be older than the change. */
export async function replaceAnswer<Answer>(queries: QueryClient, queryKey: QueryKey, answer: Answer): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true });
  queries.setQueryData(queryKey, answer);
}
