import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { budgetsQuery } from "@/api/sla";
import { rootRoute } from "./root";
import { slaSearch } from "./search/sla";

export const slaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sla",
  validateSearch: slaSearch,
  loader: ({ context: { queries } }) => {
    void queries.prefetchQuery(budgetsQuery());
    void queries.prefetchInfiniteQuery(runListQuery({}));
  },
  component: lazyRouteComponent(() => import("./slaScreen"), "SlaScreen"),
});
