// Apart from its route, so that the charts are loaded only where they are shown.
import { getRouteApi } from "@tanstack/react-router";
import { pickCount } from "@/entities/question/address";
import { ComparePage } from "@/features/compare/ComparePage";
import { compareSearch } from "./search/compare";
import { useAskingView } from "./useView";

const route = getRouteApi("/compare");

export function CompareScreen() {
  const search = route.useSearch();
  const view = useAskingView(search, compareSearch);
  const navigate = route.useNavigate();
  return (
    <ComparePage
      view={view}
      picked={pickCount(search)}
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
