// Root route: frame of all pages, and content for failures and unknown addresses.
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  type ErrorComponentProps,
  Link,
  Outlet,
  retainSearchParams,
} from "@tanstack/react-router";
import {
  type PickSearch,
  pickSearch,
  QUESTION_KEYS,
  type ReaderQuestionSearch,
  readerQuestionSearch,
} from "@/entities/question/address";
import { Shell } from "@/features/shell/Shell";
import { compact, type RawSearch } from "@/lib/search";
import { Empty, Failed } from "@/ui/states";

export type RouterContext = { queries: QueryClient };

export const Route = createRootRouteWithContext<RouterContext>()({
  validateSearch: (raw: RawSearch): ReaderQuestionSearch & PickSearch =>
    compact({ ...readerQuestionSearch(raw), ...pickSearch(raw) }) as ReaderQuestionSearch & PickSearch,
  // All links preserve question and shortlist.
  search: { middlewares: [retainSearchParams([...QUESTION_KEYS, "pick"])] },
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: () => (
    <Empty page title="There is no such page">
      <p>The link may be incomplete or older than this version. These pages are there:</p>
      <p>
        <Link to="/">First page</Link> · <Link to="/drives">Drives</Link> · <Link to="/runs">Runs</Link> ·{" "}
        <Link to="/sla">My SLA</Link> · <Link to="/upload">Upload</Link>
      </p>
    </Empty>
  ),
});

export function PageError({ error, reset }: ErrorComponentProps) {
  return <Failed error={error instanceof Error ? error : new Error(String(error))} what="This page" onRetry={reset} />;
}
