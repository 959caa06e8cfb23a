import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { Home } from "./Home";

it("claims nothing of the runs while they cannot be read", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}, { status: 500 }));
  show(<Home />, "/?reads=10&window=1s&objective=99.9");
  expect(await screen.findByRole("button", { name: "Try again" })).toBeDefined();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("My latest runs could not be asked.");
});
