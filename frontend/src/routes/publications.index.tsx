import { createFileRoute } from "@tanstack/react-router";
import { publicationListQuery } from "@/api/publications";
import { PublicationList } from "@/features/publications/PublicationList";

export const Route = createFileRoute("/publications/")({
  loader: ({ context: { queries } }) => void queries.prefetchQuery(publicationListQuery()),
  component: PublicationList,
});
