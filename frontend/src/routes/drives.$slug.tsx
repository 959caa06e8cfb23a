import { createFileRoute } from "@tanstack/react-router";
import { DEFAULT_RULE_SET, drivePageQuery } from "@/api/drivePage";
import { driveSearch } from "@/features/drive-page/address";
import { DrivePage } from "@/features/drive-page/DrivePage";
import { useViewWithQuestion } from "./useView";

export const Route = createFileRoute("/drives/$slug")({
  validateSearch: driveSearch,
  loaderDeps: ({ search: { rules } }) => ({ rules }),
  loader: ({ context: { queries }, params: { slug }, deps: { rules } }) =>
    void queries.prefetchQuery(drivePageQuery(slug, rules ?? DEFAULT_RULE_SET)),
  component: DriveScreen,
});

function DriveScreen() {
  const { slug } = Route.useParams();
  const view = useViewWithQuestion(Route.useSearch(), driveSearch);
  const navigate = Route.useNavigate();
  return (
    <DrivePage
      key={slug}
      slug={slug}
      view={view}
      onView={(change) =>
        void navigate({ search: (before) => driveSearch({ ...before, ...change }), replace: true, resetScroll: false })
      }
    />
  );
}
