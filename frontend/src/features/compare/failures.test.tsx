import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { Cost } from "./Cost";
import { ServerGenerations } from "./ServerGenerations";

it.each([
  ["costs", () => <Cost view={{}} />],
  ["server generations", () => <ServerGenerations />],
])("%s that could not be read are asked for again", async (_, page) => {
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}, { status: 500 }));
  show(page());
  const retry = await screen.findByRole("button", { name: "Try again" });
  const before = fetched.mock.calls.length;
  await userEvent.click(retry);
  await vi.waitFor(() => expect(fetched.mock.calls.length).toBeGreaterThan(before));
});
