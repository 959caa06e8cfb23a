import { createRoute, useNavigate } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { RunList } from "@/features/run-list/RunList";
import { rootRoute } from "./root";
import { runListSearch } from "./search";

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs",
  validateSearch: runListSearch,
  loaderDeps: ({ search: { sort: _, ...filters } }) => filters,
  loader: ({ context, deps }) => void context.queries.prefetchInfiniteQuery(runListQuery(deps)),
  component: RunsPage,
});

function RunsPage() {
  const view = runsRoute.useSearch();
  const navigate = useNavigate({ from: "/runs" });
  return (
    <RunList
      view={view}
      onView={(change) => void navigate({ search: (before) => runListSearch({ ...before, ...change }), replace: true })}
    />
  );
}
