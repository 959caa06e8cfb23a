import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "./root";

export const glossaryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/glossary",
  component: lazyRouteComponent(() => import("@/features/glossary/GlossaryPage"), "GlossaryPage"),
});
