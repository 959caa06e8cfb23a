// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { Missing } from "@/entities/missing/Missing";
import { RunPage } from "@/features/run-page/RunPage";
import { isId } from "@/lib/ids";
import { runSearch } from "./search/runs";
import { useAskingView } from "./useView";

const route = getRouteApi("/runs/$runId");

export function RunScreen() {
  const { runId } = route.useParams();
  const view = useAskingView(route.useSearch(), runSearch);
  const navigate = route.useNavigate();
  if (!isId(runId)) return <Missing page what="run" />;
  return (
    <RunPage
      key={runId}
      runId={runId}
      view={view}
      onView={(change) =>
        void navigate({ search: (before) => runSearch({ ...before, ...change }), replace: true, resetScroll: false })
      }
    />
  );
}
