import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { uploadQuery, uploadsQuery } from "@/api/uploads";
import { isId } from "@/lib/ids";
import { rootRoute } from "./root";
import { uploadSearch } from "./search/upload";

export const uploadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/upload",
  validateSearch: uploadSearch,
  loaderDeps: ({ search: { upload } }) => ({ upload }),
  loader: ({ context: { queries }, deps: { upload } }) => {
    if (upload !== undefined && isId(upload)) void queries.prefetchQuery(uploadQuery(upload));
    void queries.prefetchInfiniteQuery(uploadsQuery());
  },
  component: lazyRouteComponent(() => import("./uploadScreen"), "UploadScreen"),
});
