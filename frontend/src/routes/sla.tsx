import { createFileRoute, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { runDetailQuery, runListQuery } from "@/api/queries";
import { budgetsQuery } from "@/api/sla";
import { fullSearch } from "@/entities/question/address";
import { type SlaChange, slaSearch } from "@/features/sla/address";
import { SlaPage } from "@/features/sla/SlaPage";
import { isId } from "@/lib/ids";

export const Route = createFileRoute("/sla")({
  validateSearch: slaSearch,
  loaderDeps: ({ search: { run } }) => ({ run }),
  loader: async ({ context: { queries }, deps: { run }, cause }) => {
    void queries.prefetchQuery(budgetsQuery());
    void queries.prefetchInfiniteQuery(runListQuery({}));
    // The title of the run is part of the sentence, which would move the page if it came later.
    if (cause === "enter" && isId(String(run))) await queries.prefetchQuery(runDetailQuery(String(run)));
  },
  component: SlaScreen,
});

function SlaScreen() {
  const view = Route.useSearch();
  const navigate = Route.useNavigate();
  const router = useRouter();
  const onView = useCallback(
    (change: SlaChange) => {
      // The newest run becomes known late: the reader may have left the page, whose address must not change then.
      if (router.latestLocation.pathname !== "/sla") return;
      void navigate({
        search: (before) => fullSearch(slaSearch({ ...before, ...change })),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate, router],
  );
  return <SlaPage view={view} onView={onView} />;
}
