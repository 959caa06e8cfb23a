// Returns a run list that stays current: each refresh takes one request, or two with live runs on later pages.
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RunFilter, runListNewsQuery, runListQuery } from "@/api/queries";

export function useRunList(filter: RunFilter) {
  const queries = useQueryClient();
  // The list itself is never refetched while shown: the second query updates it.
  const list = useInfiniteQuery({ ...runListQuery(filter), staleTime: Number.POSITIVE_INFINITY });
  const news = useQuery({ ...runListNewsQuery(queries, filter), enabled: list.data !== undefined });
  return { ...list, newsError: news.error };
}
