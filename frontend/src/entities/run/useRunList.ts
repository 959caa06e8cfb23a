// A list of runs that stays current: however many pages are loaded, news costs one request, or two with live runs further down.
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RunsAsked, runListNewsQuery, runListQuery } from "@/api/queries";

export function useRunList(filter: RunsAsked) {
  const queries = useQueryClient();
  // Never asked for as a whole again while it is shown: its news come by the other query.
  const list = useInfiniteQuery({ ...runListQuery(filter), staleTime: Number.POSITIVE_INFINITY });
  const news = useQuery({ ...runListNewsQuery(queries, filter), enabled: list.data !== undefined });
  return { ...list, newsError: news.error };
}
