import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { formatsQuery } from "@/api/formats";
import { rootRoute } from "./root";

export const formatsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/formats",
  loader: ({ context: { queries } }) => void queries.prefetchQuery(formatsQuery()),
  component: lazyRouteComponent(() => import("@/features/formats/FormatsPage"), "FormatsPage"),
});
