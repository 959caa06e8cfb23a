import { createFileRoute } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { runListSearch } from "@/features/run-list/address";
import { RunList } from "@/features/run-list/RunList";
import { useView } from "./useView";

export const Route = createFileRoute("/runs/")({
  validateSearch: runListSearch,
  loaderDeps: ({ search }) => runListSearch(search),
  // A cached list is updated by server-sent news, not fetched again page by page.
  loader: ({ context, deps }) =>
    void context.queries.prefetchInfiniteQuery({ ...runListQuery(deps), staleTime: Number.POSITIVE_INFINITY }),
  component: RunsScreen,
});

function RunsScreen() {
  const view = useView(Route.useSearch(), runListSearch);
  const navigate = Route.useNavigate();
  return (
    <RunList
      view={view}
      onView={(change) => void navigate({ search: (before) => runListSearch({ ...before, ...change }), replace: true })}
    />
  );
}
