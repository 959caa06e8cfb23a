import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { exceedanceQuery, percentilesQuery, runDetailQuery, timelineQuery } from "@/api/queries";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";
import { rootRoute } from "./root";

export type RunSearch = { operation?: string; clock?: string; scale?: "linear" | "log" };

export function runSearch(raw: RawSearch): RunSearch {
  return compact({
    operation: text(raw["operation"], 40),
    clock: oneOf(raw["clock"], ["response", "service", "queue", "operation"]),
    scale: oneOf(raw["scale"], ["linear", "log"]),
  });
}

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$runId",
  validateSearch: runSearch,
  loader: ({ context: { queries }, params: { runId } }) => {
    void queries.prefetchQuery(runDetailQuery(runId));
    void queries.prefetchQuery(timelineQuery(runId));
    void queries.prefetchQuery(percentilesQuery(runId));
    void queries.prefetchQuery(exceedanceQuery(runId));
  },
  component: lazyRouteComponent(() => import("./runScreen"), "RunScreen"),
});
