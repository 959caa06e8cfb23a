import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { publicationQuery } from "@/api/publications";
import { publicationSearch } from "@/features/publications/publicationSearch";
import { rootRoute } from "./root";

export const publicationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/publications/$slug",
  validateSearch: publicationSearch,
  loader: ({ context: { queries }, params: { slug } }) => void queries.prefetchQuery(publicationQuery(slug)),
  component: lazyRouteComponent(() => import("./publicationScreen"), "PublicationScreen"),
});
