import { getRouteApi, useLocation } from "@tanstack/react-router";
import { PublicationPage } from "@/features/publications/PublicationPage";
import { publicationSearch } from "./search/publication";
import { useView } from "./useView";

const route = getRouteApi("/publications/$slug");

export function PublicationScreen() {
  const { slug } = route.useParams();
  const view = useView(route.useSearch(), publicationSearch);
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = route.useNavigate();
  return (
    <PublicationPage
      key={slug}
      slug={slug}
      view={view}
      target={hash === "" ? null : hash}
      onView={(change) =>
        void navigate({
          search: (before) => publicationSearch({ ...before, ...change }),
          hash: true,
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
