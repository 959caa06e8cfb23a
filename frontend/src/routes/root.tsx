// The root of all pages: the frame, and what stands in it when a page fails or does not exist.
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, type ErrorComponentProps, Link, Outlet } from "@tanstack/react-router";
import { Shell } from "@/features/shell/Shell";
import { Empty, Failed } from "@/ui/states";

export type RouterContext = { queries: QueryClient };

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: () => (
    <Empty page title="There is no such page">
      <p>The link may be incomplete or older than this version.</p>
      <Link to="/runs">Show runs</Link>
    </Empty>
  ),
});

export function PageError({ error, reset }: ErrorComponentProps) {
  return <Failed error={error instanceof Error ? error : new Error(String(error))} what="This page" onRetry={reset} />;
}
