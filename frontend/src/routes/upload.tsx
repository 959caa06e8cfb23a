import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { uploadQuery, uploadsQuery } from "@/api/uploads";
import { type UploadChange, uploadSearch } from "@/features/upload/address";
import { UploadPage } from "@/features/upload/UploadPage";
import { isId } from "@/lib/ids";

export const Route = createFileRoute("/upload")({
  validateSearch: uploadSearch,
  loaderDeps: ({ search: { upload } }) => ({ upload }),
  loader: ({ context: { queries }, deps: { upload } }) => {
    if (upload !== undefined && isId(upload)) void queries.prefetchQuery(uploadQuery(upload));
    void queries.prefetchInfiniteQuery(uploadsQuery());
  },
  component: UploadScreen,
});

function UploadScreen() {
  const view = Route.useSearch();
  const navigate = Route.useNavigate();
  const onView = useCallback(
    (change: UploadChange) =>
      void navigate({ search: (before) => uploadSearch({ ...before, ...change }), resetScroll: false }),
    [navigate],
  );
  return <UploadPage view={view} onView={onView} />;
}
