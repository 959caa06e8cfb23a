import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { leaderboardQuery } from "@/api/leaderboard";
import { budgetsQuery } from "@/api/sla";
import { readQuestion } from "@/features/drives/question";
import { rootRoute } from "./root";
import { drivesSearch } from "./search/drives";

export const drivesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/drives",
  validateSearch: drivesSearch,
  loaderDeps: ({ search }) => ({ filter: readQuestion(search).query }),
  loader: ({ context: { queries }, deps: { filter } }) => {
    void queries.prefetchQuery(budgetsQuery());
    if (filter !== null) void queries.prefetchInfiniteQuery(leaderboardQuery(filter));
  },
  component: lazyRouteComponent(() => import("./drivesScreen"), "DrivesScreen"),
});
