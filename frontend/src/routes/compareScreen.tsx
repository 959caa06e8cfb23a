// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { ComparePage } from "@/features/compare/ComparePage";
import { compareSearch } from "./search/compare";
import { useAskingView } from "./useView";

const route = getRouteApi("/compare");

export function CompareScreen() {
  const view = useAskingView(route.useSearch(), compareSearch);
  const navigate = route.useNavigate();
  return (
    <ComparePage
      view={view}
      onView={(change) =>
        void navigate({
          search: (before) => ({ ...before, ...compareSearch({ ...before, ...change }), ...cleared(change) }),
          resetScroll: false,
        })
      }
    />
  );
}

/** Keys that a change takes away. */
const cleared = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value === undefined));
