import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { rootRoute } from "./root";
import { runListSearch } from "./search/runs";

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs",
  validateSearch: runListSearch,
  loaderDeps: ({ search }) => runListSearch(search),
  // A list that is there is brought up to date by its news, not page by page.
  loader: ({ context, deps }) =>
    void context.queries.prefetchInfiniteQuery({ ...runListQuery(deps), staleTime: Number.POSITIVE_INFINITY }),
  component: lazyRouteComponent(() => import("./runsScreen"), "RunsScreen"),
});
