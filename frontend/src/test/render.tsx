// Renders a component with the providers of a page.
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from "@tanstack/react-router";
import { type RenderResult, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { theme } from "@/ui/theme";

/** Renders the element; `address` is that of the page. */
export function show(element: ReactElement, address = "/"): RenderResult {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  // Links need a router to build their URLs. No routes are registered.
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  return render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>
        <RouterContextProvider router={router as never}>{element}</RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
