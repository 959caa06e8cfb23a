import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const watchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/watch",
  component: lazyRouteComponent(() => import("@/features/watch/WatchPage"), "WatchPage"),
});
