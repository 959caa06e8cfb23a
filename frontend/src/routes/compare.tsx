import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { comparisonQuery } from "@/api/comparisons";
import { subjectsOf } from "@/entities/comparison/subjects";
import { alignmentOf } from "@/features/compare/address";
import { rootRoute } from "./root";
import { compareSearch } from "./search/compare";

export const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/compare",
  validateSearch: compareSearch,
  loaderDeps: ({ search }) => compareSearch(search),
  loader: ({ context: { queries }, deps }) => {
    const subjects = subjectsOf(deps.of);
    // The load of production is another question, which the page asks by itself.
    if (subjects.length < 2 || deps.template === "production") return;
    void queries.prefetchQuery(comparisonQuery(subjects, alignmentOf(deps)));
  },
  component: lazyRouteComponent(() => import("./compareScreen"), "CompareScreen"),
});
