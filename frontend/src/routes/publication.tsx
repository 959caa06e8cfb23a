import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { publicationQuery } from "@/api/publications";
import { rootRoute } from "./root";
import { publicationSearch } from "./search/publication";

export const publicationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/publications/$slug",
  validateSearch: publicationSearch,
  loader: ({ context: { queries }, params: { slug } }) => void queries.prefetchQuery(publicationQuery(slug)),
  component: lazyRouteComponent(() => import("./publicationScreen"), "PublicationScreen"),
});
