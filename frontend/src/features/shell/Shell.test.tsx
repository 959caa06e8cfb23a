import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { show } from "@/test/render";
import { PAGES } from "./pages";
import { Shell } from "./Shell";

const answers = (session: unknown) =>
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(session));

const OPEN = { access: "local", organisation: { name: "local" }, person: null, capabilities: [] };

describe("the frame of every page", () => {
  beforeEach(() => void answers(OPEN));

  it("leads to every page, to the content first", () => {
    show(<Shell>content</Shell>);
    for (const { label, to } of PAGES) expect(screen.getByRole("link", { name: label }).getAttribute("href")).toBe(to);
    expect(screen.getByRole("link", { name: "Skip to the content" }).getAttribute("href")).toBe("#main");
    expect(screen.getByRole("main").textContent).toBe("content");
  });

  it("opens the shortcuts by their key, once they are asked for", async () => {
    show(<Shell>content</Shell>);
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.keyboard("?");
    expect(await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).toBeTruthy();
  });

  it("unfolds everything for paper and folds it again", () => {
    show(
      <Shell>
        <details>
          <summary>more</summary>
        </details>
      </Shell>,
    );
    const details = screen.getByText("more").closest("details");
    window.dispatchEvent(new Event("beforeprint"));
    expect(details?.open).toBe(true);
    window.dispatchEvent(new Event("afterprint"));
    expect(details?.open).toBe(false);
  });

  it("offers to sign out only where somebody has signed in", async () => {
    answers({ ...OPEN, access: "token" });
    show(<Shell>content</Shell>);
    expect(await screen.findByRole("button", { name: "Sign out" })).toBeTruthy();
  });
});
