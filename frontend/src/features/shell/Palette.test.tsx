// Entry that the palette opens if Enter is pressed before the search has finished.
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { theme } from "@/ui/theme";
import { Palette } from "./Palette";

const run = (id: string, title: string) => ({
  run_id: id,
  title,
  state: "finished",
  workload: "keyvalue",
  host_name: "vm",
});
const RUNS = [run("newest", "Newest run"), run("wanted", "A wanted run")];

function open() {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const { pathname, searchParams } = new URL((given as Request).url);
    const title = searchParams.get("q")?.toLowerCase() ?? "";
    if (title !== "") await new Promise((resolve) => setTimeout(resolve, 50));
    if (pathname === "/api/v1/runs")
      return Response.json({ runs: RUNS.filter((row) => row.title.toLowerCase().includes(title)), next_cursor: null });
    return Response.json({ drives: [], publications: [] });
  });
  const onClose = vi.fn();
  const root = createRootRoute({ component: () => <Palette opened onClose={onClose} onHelp={() => {}} /> });
  const runPage = createRoute({ getParentRoute: () => root, path: "/runs/$runId", component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([runPage]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { router, onClose };
}

it("opens the first answer to what was typed, also where Enter comes before it", async () => {
  const user = userEvent.setup();
  const { router, onClose } = open();
  await screen.findByRole("option", { name: /Newest run/ });
  await user.type(screen.getByRole("combobox"), "wanted{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/runs/wanted"));
  expect(onClose).toHaveBeenCalledOnce();
});

it("opens nothing where nothing is called that", async () => {
  const user = userEvent.setup();
  const { router, onClose } = open();
  await screen.findByRole("option", { name: /Newest run/ });
  await user.type(screen.getByRole("combobox"), "missing{Enter}");
  await screen.findByText("Nothing is called that.");
  await waitFor(() => expect(screen.queryByRole("option")).toBeNull());
  expect(router.state.location.pathname).toBe("/");
  expect(onClose).not.toHaveBeenCalled();
});
