import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const mailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/mail",
  component: lazyRouteComponent(() => import("@/features/mail/MailPage"), "MailPage"),
});
