import { screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { runSummary } from "@/test/fixtures";
import { show } from "@/test/render";
import { matchItem } from "@/test/slaFixtures";
import { Home } from "./Home";

it("claims nothing of the runs while they cannot be read", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}, { status: 500 }));
  show(<Home />, "/?reads=10&window=1s&objective=99.9");
  expect(await screen.findByRole("button", { name: "Try again" })).toBeDefined();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("My latest runs could not be asked.");
});

it("answers my question for the example too", async () => {
  const example = runSummary({
    ...{ run_id: "01a22ca8-7a2e-73c5-899d-94c9d97cfa06", title: "Simulated day", state: "finished" },
    ...{ outcome: "completed", simulated: true, measured_duration_ns: 86_400e9 },
  });
  const item = matchItem("Simulated day", { words: "PASS in this run" });
  item.subject.run_id = example.run_id;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const { pathname } = new URL((given as Request).url);
    if (pathname === "/api/v1/runs") return Response.json({ runs: [example], total: 1, next_cursor: null });
    if (pathname === "/api/v1/sla/match")
      return Response.json({ budget: (await (given as Request).json()).budget, items: [item] });
    return Response.json({ items: [], rows: [] });
  });
  show(<Home />, "/?reads=10&window=1s&objective=99.9");
  const section = await screen.findByRole("region", { name: /An example/ });
  await vi.waitFor(() => expect(section.textContent).toContain("My question"));
  expect(section.textContent?.replaceAll("\u00a0", " ")).toContain("PASS in this run");
  expect(section.textContent).not.toContain("ACT limits");
});
