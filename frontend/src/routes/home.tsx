import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { rootRoute } from "./root";

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  // Begun here, not waited for: the page shows its frame at once.
  loader: ({ context }) => void context.queries.prefetchInfiniteQuery(runListQuery({})),
  component: lazyRouteComponent(() => import("@/features/home/Home"), "Home"),
});
