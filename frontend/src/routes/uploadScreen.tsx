// Apart from its route, so that the drop zone is loaded only where it is shown.
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import { UploadPage } from "@/features/upload/UploadPage";
import { type UploadSearch, uploadSearch } from "@/features/upload/uploadSearch";

const route = getRouteApi("/upload");

export function UploadScreen() {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const onView = useCallback(
    (change: UploadSearch) =>
      void navigate({ search: (before) => uploadSearch({ ...before, ...change }), resetScroll: false }),
    [navigate],
  );
  return <UploadPage view={view} onView={onView} />;
}
