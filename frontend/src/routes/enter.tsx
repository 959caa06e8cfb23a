import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const enterRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/enter",
  component: lazyRouteComponent(() => import("./enterScreen"), "EnterScreen"),
});
