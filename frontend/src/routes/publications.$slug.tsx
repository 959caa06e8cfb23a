import { createFileRoute, useLocation } from "@tanstack/react-router";
import { publicationQuery } from "@/api/publications";
import { publicationSearch } from "@/features/publications/address";
import { PublicationPage } from "@/features/publications/PublicationPage";
import { useView } from "./useView";

export const Route = createFileRoute("/publications/$slug")({
  validateSearch: publicationSearch,
  loader: ({ context: { queries }, params: { slug } }) => void queries.prefetchQuery(publicationQuery(slug)),
  component: PublicationScreen,
});

function PublicationScreen() {
  const { slug } = Route.useParams();
  const view = useView(Route.useSearch(), publicationSearch);
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = Route.useNavigate();
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
