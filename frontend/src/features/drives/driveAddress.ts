// Addresses of drive pages, for tables with many rows: one router link per row would be slow.
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type MouseEvent, useMemo } from "react";

const PLACE = "SLUG";

/** Returns a function from slug to address with the current question, which is computed once for all rows. */
export function useDriveAddress(): (slug: string) => string {
  const router = useRouter();
  const search = useRouterState({ select: (state) => state.location.searchStr });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the result depends on the search parameters
  const href = useMemo(
    () => router.buildLocation({ to: "/drives/$slug", params: { slug: PLACE } }).href,
    [router, search],
  );
  return useMemo(() => (slug) => href.replace(PLACE, encodeURIComponent(slug)), [href]);
}

/** Returns whether the browser opens the click elsewhere: in another tab or window, or as a download. */
export const opensElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
