import { createRoute, useNavigate } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { RunList, type RunListView } from "@/features/run-list/RunList";
import { SORT_KEYS } from "@/features/run-list/sorting";
import { compact, oneOf, type RawSearch, text } from "@/lib/search";
import { rootRoute } from "./root";

export function runListSearch(raw: RawSearch): RunListView {
  const sort = oneOf(raw["sort"], SORT_KEYS);
  return compact({
    state: oneOf(raw["state"], ["running", "finishing", "finished"]),
    workload: text(raw["workload"], 40),
    q: text(raw["q"]),
    sort: sort === "-started" ? undefined : sort,
  });
}

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
