// Apart from its route, so that the table is loaded only where it is shown.
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { fullSearch } from "@/entities/question/address";
import type { DrivesChange, DrivesSearch } from "@/features/drives/address";
import { DrivesPage } from "@/features/drives/DrivesPage";
import { EditionPage } from "@/features/drives/EditionPage";
import { drivesSearch } from "./search/drives";

/** An emptied shortlist is named, or it would travel along. */
const NO_PICK = { pick: undefined } as unknown as DrivesSearch;

const route = getRouteApi("/drives");

export function DrivesScreen() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
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
