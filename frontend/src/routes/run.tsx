import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import {
  courseQuery,
  exceedanceQuery,
  firstHeatmapQuery,
  percentilesQuery,
  runDetailQuery,
  timelineQuery,
} from "@/api/queries";
import { isId } from "@/lib/ids";
import { rootRoute } from "./root";
import { runSearch } from "./search/runs";

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$runId",
  validateSearch: runSearch,
  loader: ({ context: { queries }, params: { runId } }) => {
    if (!isId(runId)) return;
    void queries.prefetchQuery(runDetailQuery(runId));
    void queries.prefetchQuery(firstHeatmapQuery(runId));
    void queries.prefetchQuery(timelineQuery(runId));
    void queries.prefetchQuery(percentilesQuery(runId));
    void queries.prefetchQuery(exceedanceQuery(runId));
    void queries.prefetchQuery(courseQuery(runId));
  },
  component: lazyRouteComponent(() => import("./runScreen"), "RunScreen"),
});
