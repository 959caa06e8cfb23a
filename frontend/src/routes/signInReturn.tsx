import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const signInReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in/return",
  component: lazyRouteComponent(() => import("./signInReturnScreen"), "SignInReturnScreen"),
});
