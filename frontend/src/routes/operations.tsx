import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const operationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/operations",
  component: lazyRouteComponent(() => import("@/features/operations/OperationsPage"), "OperationsPage"),
});
