import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { leaderboard, leaderboardRow } from "@/test/driveFixtures";
import { show } from "@/test/render";
import { changeText, EditionPage } from "./EditionPage";

const MADE = "2027-01-01T00:30:00Z";
const summary = (name: string) => ({ name, made_at: MADE, rows: 1, content_sha256: "00" });
const row = leaderboardRow("r");
const change = {
  row_id: "r",
  drive: row.drive,
  capacity_bytes: row.capacity_bytes,
  kind: "rating",
  before: "holds 1x",
  after: "holds 3x, fails 6x",
};

function api(names: readonly string[]): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const url = new URL((given as Request).url);
    asked.push(`${url.pathname}${url.search}`);
    if (url.pathname === "/api/v1/editions") return Response.json({ items: names.map(summary) });
    if (url.pathname === "/api/v1/edition-changes") {
      const isLiving = url.searchParams.get("until") === "living";
      return Response.json({ since: "", until: "", changes: isLiving ? [] : [change], withdrawn: [] });
    }
    const name = url.pathname.split("/").at(-1) ?? "";
    if (!names.includes(name)) return Response.json({ code: "edition-unknown", title: "no" }, { status: 404 });
    return Response.json({ name, made_at: MADE, board: leaderboard([row]) });
  });
  return asked;
}

describe("an edition", () => {
  it("shows its rows, when it was made, and what changed against the edition before and since", async () => {
    const asked = api(["2026-Q4", "2026-Q3"]);
    show(<EditionPage name="2026-Q4" />);
    expect(await screen.findByRole("row", { name: /Intel S3700/ })).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1, name: "Edition 2026-Q4" })).toBeTruthy();
    expect(screen.getByText(/1 row, made on .*An edition never changes\./)).toBeTruthy();
    expect(screen.queryByRole("checkbox")).toBeNull();
    const changes = within(
      (await screen.findByText("New against 2026-Q3: 1 change")).closest("details") as HTMLElement,
    );
    expect(changes.getByText(/Intel S3700 400\sGB: holds 1x → holds 3x, fails 6x/)).toBeTruthy();
    expect(await screen.findByText("Changed since, on the living board: nothing.")).toBeTruthy();
    expect(asked).toContain("/api/v1/edition-changes?since=2026-Q3&until=2026-Q4");
    const links = within(screen.getByRole("navigation", { name: "Editions" }));
    expect(links.getByText("2026-Q4").getAttribute("aria-current")).toBe("page");
    expect(links.getByRole("link", { name: "the living board" })).toBeTruthy();
  });

  it("that there is not is said to be missing", async () => {
    api(["2026-Q3"]);
    show(<EditionPage name="2026-Q4" />);
    expect((await screen.findByRole("alert")).textContent).toBe("There is no edition 2026-Q4.");
  });
});

it("a row that came or went has one side", () => {
  expect(changeText({ before: null, after: "holds 3x" })).toBe("new, holds 3x");
  expect(changeText({ before: "holds 3x", after: null })).toBe("gone, holds 3x");
});
