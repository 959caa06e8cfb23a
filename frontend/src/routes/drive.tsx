import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { DEFAULT_RULE_SET, drivePageQuery } from "@/api/drivePage";
import { rootRoute } from "./root";
import { driveSearch } from "./search/drive";

export const driveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/drives/$slug",
  validateSearch: driveSearch,
  loaderDeps: ({ search: { rules } }) => ({ rules }),
  loader: ({ context: { queries }, params: { slug }, deps: { rules } }) =>
    void queries.prefetchQuery(drivePageQuery(slug, rules ?? DEFAULT_RULE_SET)),
  component: lazyRouteComponent(() => import("./driveScreen"), "DriveScreen"),
});
