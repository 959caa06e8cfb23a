// Apart from its route, so that the drop zone is loaded only where it is shown.
import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import type { UploadSearch } from "@/features/upload/UploadPage";
import { UploadPage } from "@/features/upload/UploadPage";
import { uploadSearch } from "./search/upload";

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
