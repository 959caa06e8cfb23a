import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { RunHeader } from "./RunHeader";

const FEED = { lastTickAtMs: null } as Parameters<typeof RunHeader>[0]["feed"];
const finished = { state: "finished", outcome: "completed" } as const;

function header(changes: Parameters<typeof runDetail>[0], elapsedNs = 10e9): string {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ capabilities: ["delete"], items: [] }));
  show(<RunHeader run={runDetail({ ...finished, is_own: true, ...changes })} elapsed={elapsedNs} feed={FEED} />);
  return (document.querySelector("header")?.textContent ?? "").replaceAll("\u00a0", " ");
}

describe("the title line of a run", () => {
  it("says how long it was and when it began, as far as its record says", () => {
    expect(header({})).toContain("10 s, complete");
  });

  it("states no length that its file does not state", () => {
    expect(header({}, 0)).toContain("length not stated");
  });

  it.each([
    ["agent", 10e9, "interrupted after 10 s of 20 s: the log is cut"],
    ["upload", 10e9, "interrupted after 10 s: the log is cut"],
    ["upload", 0, "interrupted, length not stated: the log is cut"],
  ] as const)("states no planned length of a file: %s, %s ns", (source, elapsedNs, expected) => {
    const cut = { outcome: "interrupted", outcome_reason: "the log is cut", planned_duration_ns: 20e9 } as const;
    expect(header({ ...cut, source }, elapsedNs)).toContain(expected);
  });

  it("takes no start from the upload of a file that states none", () => {
    const text = header({ started_at_known: false });
    expect(text).toContain("start not stated, uploaded");
    expect(text).not.toContain("started ");
  });

  it("gives no start of a run that was simulated", () => {
    expect(header({ simulated: true })).not.toMatch(/start/);
  });

  it("has deleting last in a menu, behind what can be undone", async () => {
    header({});
    const buttons = screen.getAllByRole("button").map((button) => button.textContent);
    expect(buttons[0]).toBe("Share");
    expect(buttons).not.toContain("Delete");
    await userEvent.click(screen.getByRole("button", { name: "More actions" }));
    const items = await screen.findAllByRole("menuitem");
    expect(items.map((item) => item.textContent)).toEqual(["Save", "Delete"]);
  });
});
