// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { fullSearch } from "@/entities/question/address";
import type { SlaChange } from "@/features/sla/address";
import { SlaPage } from "@/features/sla/SlaPage";
import { slaSearch } from "./search/sla";

const route = getRouteApi("/sla");

export function SlaScreen() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const onView = useCallback(
    (change: SlaChange) =>
      void navigate({
        search: (before) => fullSearch(slaSearch({ ...before, ...change })),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return <SlaPage view={view} onView={onView} />;
}
