// Where drives' pages are, for tables with many of them: a link of the router's for each would ask it once a row and at every step.
import { useRouter, useRouterState } from "@tanstack/react-router";
import { type MouseEvent, useMemo } from "react";

const PLACE = "SLUG";

/** A drive's page with the current question: as the router writes it, built once for all rows. */
export function useDriveAddress(): (slug: string) => string {
  const router = useRouter();
  const search = useRouterState({ select: (state) => state.location.searchStr });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address holds the question
  const href = useMemo(
    () => router.buildLocation({ to: "/drives/$slug", params: { slug: PLACE } }).href,
    [router, search],
  );
  return useMemo(() => (slug) => href.replace(PLACE, encodeURIComponent(slug)), [href]);
}

/** In another tab or window, or as a file: the browser's own business. */
export const opensElsewhere = (event: MouseEvent): boolean =>
  event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
