// Renders a part of a page with what every part of a page may rely on.
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type RenderResult, render } from "@testing-library/react";
import type { ReactElement } from "react";
import { theme } from "@/ui/theme";

export function show(element: ReactElement): RenderResult {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={queries}>{element}</QueryClientProvider>
    </MantineProvider>,
  );
}
