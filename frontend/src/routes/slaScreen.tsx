// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";
import { fullSearch } from "@/entities/question/address";
import type { SlaChange } from "@/features/sla/address";
import { SlaPage } from "@/features/sla/SlaPage";
import { slaSearch } from "./search/sla";

const route = getRouteApi("/sla");

export function SlaScreen() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const router = useRouter();
  const onView = useCallback(
    (change: SlaChange) => {
      // The newest run is chosen when it is known; by then the reader may have left, and the next page may be loading.
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
