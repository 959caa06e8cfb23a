// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { DrivePage } from "@/features/drive-page/DrivePage";
import { driveSearch } from "./search/drive";
import { useAskingView } from "./useView";

const route = getRouteApi("/drives/$slug");

export function DriveScreen() {
  const { slug } = route.useParams();
  const view = useAskingView(route.useSearch(), driveSearch);
  const navigate = route.useNavigate();
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
