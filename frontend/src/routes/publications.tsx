import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { publicationListQuery } from "@/api/publications";
import { rootRoute } from "./root";

export const publicationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/publications",
  loader: ({ context: { queries } }) => void queries.prefetchQuery(publicationListQuery()),
  component: lazyRouteComponent(() => import("@/features/publications/PublicationList"), "PublicationList"),
});
