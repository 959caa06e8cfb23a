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
  loaderDeps: ({ search }) => ({ asked: readQuestion(search).asked }),
  loader: ({ context: { queries }, deps: { asked } }) => {
    void queries.prefetchQuery(budgetsQuery());
    if (asked !== null) void queries.prefetchInfiniteQuery(leaderboardQuery(asked));
  },
  component: lazyRouteComponent(() => import("./drivesScreen"), "DrivesScreen"),
});
