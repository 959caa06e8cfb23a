// Bar with the reader's question, and its form.
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  retainSearchParams,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { QUESTION_KEYS, type ReaderQuestionSearch, readerQuestionSearch } from "@/entities/question/address";
import { compact, type RawSearch } from "@/lib/search";
import { theme } from "@/ui/theme";
import { QuestionBar } from "./QuestionBar";

function open(address: string) {
  const root = createRootRoute({
    validateSearch: (raw: RawSearch): ReaderQuestionSearch =>
      compact(readerQuestionSearch(raw)) as ReaderQuestionSearch,
    search: { middlewares: [retainSearchParams([...QUESTION_KEYS])] },
    component: QuestionBar,
  });
  const run = createRoute({ getParentRoute: () => root, path: "/runs", component: () => null });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([run]), history });
  render(
    <MantineProvider theme={theme} env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}

describe("the question bar", () => {
  it("says so when nothing is asked, and asks a transaction", async () => {
    const user = userEvent.setup();
    const router = open("/runs");
    expect(await screen.findByText(/none set/)).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Set my question" }));
    const reads = await screen.findByLabelText("How many reads");
    await user.clear(reads);
    await user.type(reads, "100");
    await user.click(screen.getByRole("button", { name: "Ask this everywhere" }));
    expect(await screen.findByText(/^100 reads one after another within 1\ss/)).toBeDefined();
    expect(router.state.location.search).toEqual({ reads: 100 });
  });

  it("does not ask what cannot be read", async () => {
    const user = userEvent.setup();
    open("/runs?reads=100");
    await user.click(await screen.findByRole("button", { name: "Change" }));
    await user.clear(await screen.findByLabelText("Window"));
    await user.type(screen.getByLabelText("Window"), "soon");
    expect(screen.getByRole("button", { name: "Ask this everywhere" })).toHaveProperty("disabled", true);
  });

  it("replaces a transaction by limits, and takes the question away", async () => {
    const user = userEvent.setup();
    const router = open("/runs?reads=100");
    await user.click(await screen.findByRole("button", { name: "Change" }));
    await user.click(await screen.findByText("limits on slow reads"));
    await user.click(screen.getByRole("button", { name: "Ask this everywhere" }));
    expect(await screen.findByText(/^slow reads: < 5\s% over 1\sms/)).toBeDefined();
    expect(router.state.location.search).toEqual({ limits: "1ms_5*8ms_1*64ms_0.1" });
    await user.click(screen.getByRole("button", { name: "Clear" }));
    expect(await screen.findByText(/none set/)).toBeDefined();
    expect(router.state.location.search).toEqual({});
  });
});
