import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { suiteQuery } from "@/api/qualifications";
import { rootRoute } from "./root";

export const qualificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/qualifications",
  component: lazyRouteComponent(() => import("@/features/qualification/QualificationsPage"), "QualificationsPage"),
});

export const qualificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/qualifications/$suiteId",
  loader: ({ context: { queries }, params: { suiteId } }) => void queries.prefetchQuery(suiteQuery(suiteId)),
  component: lazyRouteComponent(() => import("./qualificationScreen"), "QualificationScreen"),
});
