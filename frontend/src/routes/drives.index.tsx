import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { leaderboardQuery } from "@/api/leaderboard";
import { budgetsQuery } from "@/api/sla";
import { fullSearch } from "@/entities/question/address";
import { type DrivesChange, type DrivesSearch, drivesSearch } from "@/features/drives/address";
import { DrivesPage } from "@/features/drives/DrivesPage";
import { EditionPage } from "@/features/drives/EditionPage";
import { readQuestion } from "@/features/drives/question";

export const Route = createFileRoute("/drives/")({
  validateSearch: drivesSearch,
  loaderDeps: ({ search }) => ({ filter: readQuestion(search).query }),
  loader: ({ context: { queries }, deps: { filter } }) => {
    void queries.prefetchQuery(budgetsQuery());
    if (filter !== null) void queries.prefetchInfiniteQuery(leaderboardQuery(filter));
  },
  component: DrivesScreen,
});

/** An empty shortlist has to be set explicitly; otherwise the router retains the previous one. */
const NO_PICK = { pick: undefined } as unknown as DrivesSearch;

function DrivesScreen() {
  const view = Route.useSearch();
  const navigate = Route.useNavigate();
  const onView = useCallback(
    (change: DrivesChange) =>
      void navigate({
        search: (before) => fullSearch({ ...NO_PICK, ...drivesSearch({ ...before, ...change }) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  if (view.edition !== undefined) return <EditionPage name={view.edition} />;
  return <DrivesPage view={view} onView={onView} />;
}
