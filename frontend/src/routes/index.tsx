import { createFileRoute } from "@tanstack/react-router";
import { runListQuery } from "@/api/queries";
import { Home } from "@/features/home/Home";

export const Route = createFileRoute("/")({
  // The request is not awaited, so that the frame of the page appears at once.
  loader: ({ context }) => void context.queries.prefetchInfiniteQuery(runListQuery({})),
  component: Home,
});
