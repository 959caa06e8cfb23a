import { createFileRoute } from "@tanstack/react-router";
import {
  courseQuery,
  exceedanceQuery,
  firstHeatmapQuery,
  percentilesQuery,
  runDetailQuery,
  timelineQuery,
} from "@/api/queries";
import { Missing } from "@/entities/missing/Missing";
import { runSearch } from "@/features/run-page/address";
import { RunPage } from "@/features/run-page/RunPage";
import { isId } from "@/lib/ids";
import { useViewWithQuestion } from "./useView";

export const Route = createFileRoute("/runs/$runId")({
  validateSearch: runSearch,
  loader: ({ context: { queries }, params: { runId } }) => {
    if (!isId(runId)) return;
    void queries.prefetchQuery(runDetailQuery(runId));
    void queries.prefetchQuery(firstHeatmapQuery(runId));
    void queries.prefetchQuery(timelineQuery(runId));
    void queries.prefetchQuery(percentilesQuery(runId));
    void queries.prefetchQuery(exceedanceQuery(runId));
    void queries.prefetchQuery(courseQuery(runId));
  },
  component: RunScreen,
});

function RunScreen() {
  const { runId } = Route.useParams();
  const view = useViewWithQuestion(Route.useSearch(), runSearch);
  const navigate = Route.useNavigate();
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
