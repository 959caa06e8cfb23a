import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const pricesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/prices",
  component: lazyRouteComponent(() => import("@/features/prices/PricesPage"), "PricesPage"),
});
