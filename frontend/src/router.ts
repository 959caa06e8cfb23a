// Creates the router and the query client. Requests that the API rejects as signed out lead to the sign-in page.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { isSignedOut, isTransient } from "@/api/problem";
import { WITHOUT_ACCOUNT } from "@/features/shell/pages";
import { PageError } from "./routes/__root";
import { routeTree } from "./routeTree.gen";

const MOST_RETRIES = 2;

const onError = (error: Error): void => {
  if (!isSignedOut(error) || WITHOUT_ACCOUNT.includes(router.state.location.pathname)) return;
  void router.navigate({ to: "/sign-in", search: { from: router.state.location.href }, replace: true });
};

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < MOST_RETRIES && isTransient(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      staleTime: 2_000,
    },
  },
});

export const router = createRouter({
  routeTree,
  context: { queries },
  defaultErrorComponent: PageError,
  defaultPreload: false,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
