import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const passwordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/password",
  component: lazyRouteComponent(() => import("./passwordScreen"), "PasswordScreen"),
});
