// Apart from its route, so that the fields of its filters are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { RunList } from "@/features/run-list/RunList";
import { runListSearch } from "./search/runs";
import { useView } from "./useView";

const route = getRouteApi("/runs");

export function RunsScreen() {
  const view = useView(route.useSearch(), runListSearch);
  const navigate = route.useNavigate();
  return (
    <RunList
      view={view}
      onView={(change) => void navigate({ search: (before) => runListSearch({ ...before, ...change }), replace: true })}
    />
  );
}
