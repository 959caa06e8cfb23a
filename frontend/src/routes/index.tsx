import { createFileRoute } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { Home } from "@/features/home/Home";

export const Route = createFileRoute("/")({
  // Begun here, not waited for: the page shows its frame at once.
  loader: ({ context }) => void context.queries.prefetchInfiniteQuery(runListQuery({})),
  component: Home,
});
