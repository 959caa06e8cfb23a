import { createFileRoute } from "@tanstack/react-router";
import { comparisonQuery } from "@/api/comparisons";
import { subjectsOf } from "@/entities/comparison/subjects";
import { pickCount } from "@/entities/question/address";
import { alignmentOf, compareSearch } from "@/features/compare/address";
import { ComparePage } from "@/features/compare/ComparePage";
import { useViewWithQuestion } from "./useView";

export const Route = createFileRoute("/compare")({
  validateSearch: compareSearch,
  loaderDeps: ({ search }) => compareSearch(search),
  loader: ({ context: { queries }, deps }) => {
    const subjects = subjectsOf(deps.of);
    // The comparison with production loads has its own request.
    if (subjects.length < 2 || deps.template === "production") return;
    void queries.prefetchQuery(comparisonQuery(subjects, alignmentOf(deps)));
  },
  component: CompareScreen,
});

function CompareScreen() {
  const search = Route.useSearch();
  const view = useViewWithQuestion(search, compareSearch);
  const navigate = Route.useNavigate();
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

/** Returns the keys whose change is undefined, as undefined values that remove them from the address. */
const cleared = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value === undefined));
