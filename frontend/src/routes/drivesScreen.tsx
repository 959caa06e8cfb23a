// Apart from its route, so that the table is loaded only where it is shown.
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { DrivesPage } from "@/features/drives/DrivesPage";
import { type DrivesChange, drivesSearch } from "@/features/drives/drivesSearch";

const route = getRouteApi("/drives");

export function DrivesScreen() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const onView = useCallback(
    (change: DrivesChange) =>
      void navigate({ search: (before) => drivesSearch({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  return <DrivesPage view={view} onView={onView} />;
}
