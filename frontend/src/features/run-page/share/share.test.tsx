import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { RunDetail } from "@/api/types";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { embedText, Share } from "./Share";

const LINK = {
  link_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d4f",
  label: "Ann",
  created_at: "2026-11-20T17:00:00Z",
  expires_at: "2026-12-20T17:00:00Z",
  revoked_at: null as string | null,
  is_open: true,
};

/** Mocks the API for a session with these capabilities; returns the requests besides that for the session. */
function api(...capabilities: string[]): { asked: string[]; bodies: unknown[] } {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    const path = new URL(request.url).pathname;
    if (path === "/api/v1/session") return Response.json({ capabilities });
    asked.push(`${request.method} ${path.replace(runDetail().run_id, "RUN")}`);
    if (path.endsWith("pack.zip") || path.endsWith("page.html"))
      return Response.json(
        { status: 409, code: "pack-refused", title: "No pack", detail: "A file that only its owner may download." },
        { status: 409 },
      );
    if (path.endsWith("report.pdf"))
      return Response.json(
        { status: 503, code: "pdf-unavailable", title: "No PDF", detail: "Install libpangoft2-1.0-0." },
        { status: 503 },
      );
    if (request.method === "POST") {
      bodies.push(await request.json());
      return Response.json({ links: [LINK], path: "/shared/secret" }, { status: 201 });
    }
    if (request.method === "DELETE")
      return Response.json({ links: [{ ...LINK, revoked_at: "2026-11-21T17:00:00Z", is_open: false }] });
    return Response.json({ links: [] });
  });
  return { asked, bodies };
}

const own = (changes: Partial<RunDetail> = {}): RunDetail =>
  runDetail({ is_own: true, state: "finished", outcome: "completed", ...changes });

describe("sharing a run", () => {
  it("makes a link, shows its address once, and revokes it", async () => {
    const { asked, bodies } = api("publish");
    show(<Share run={own()} />);
    await userEvent.type(await screen.findByLabelText("For whom"), " Ann ");
    await userEvent.selectOptions(screen.getByLabelText("Works for"), "7 days");
    await userEvent.click(screen.getByRole("button", { name: "Make a link" }));
    expect((await screen.findByRole("status")).textContent).toContain("/shared/secret");
    const list = screen.getByRole("list", { name: "Links to this run" });
    await userEvent.click(within(list).getByRole("button", { name: "Revoke the link for Ann" }));
    await userEvent.click(await screen.findByRole("button", { name: "Revoke it" }));
    await within(list).findByText(/^revoked /);
    expect(within(list).queryByRole("button")).toBeNull();
    expect(bodies).toEqual([{ label: "Ann", days: 7 }]);
    expect(asked).toEqual([
      "GET /api/v1/runs/RUN/links",
      "POST /api/v1/runs/RUN/links",
      `DELETE /api/v1/runs/RUN/links/${LINK.link_id}`,
    ]);
  });

  it("offers no links to whoever may not make them", async () => {
    const { asked } = api("read");
    show(<Share run={own()} />);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(screen.queryByRole("button", { name: "Make a link" })).toBeNull();
    expect(asked).toEqual([]);
  });

  it("fetches the evidence pack, and says why there is none", async () => {
    const { asked } = api("read");
    show(<Share run={own()} />);
    await userEvent.click(screen.getByRole("button", { name: "Evidence pack" }));
    expect((await screen.findByRole("alert")).textContent).toContain("only its owner may download");
    expect(asked).toEqual(["GET /api/v1/runs/RUN/pack.zip"]);
  });

  it("fetches the page for later, and says why there is none", async () => {
    const { asked } = api("read");
    show(<Share run={own()} />);
    await userEvent.click(screen.getByRole("button", { name: "Page for later" }));
    expect((await screen.findByRole("alert")).textContent).toContain("only its owner may download");
    expect(asked).toEqual(["GET /api/v1/runs/RUN/page.html"]);
  });

  it("says what the server says where it cannot print", async () => {
    api("read");
    show(<Share run={own()} />);
    await userEvent.click(screen.getByRole("button", { name: "PDF" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Install libpangoft2-1.0-0.");
  });

  it("shows pictures for other pages of a published run alone", () => {
    api("read");
    const { unmount } = show(<Share run={own({ visibility: "private" })} />);
    expect(screen.queryByRole("img")).toBeNull();
    unmount();
    show(<Share run={own({ visibility: "public" })} />);
    expect(screen.getByRole("img", { name: "The badge" }).getAttribute("src")).toContain("/embed/badge.svg");
  });

  it("writes a title into another page as text", () => {
    const text = embedText("badge", "ID", '"><script>', "https://tailroom.example");
    expect(text).toBe(
      '<a href="https://tailroom.example/runs/ID"><img src="https://tailroom.example/api/v1/runs/ID/embed/badge.svg" alt="Tailroom: &quot;&gt;&lt;script&gt;"></a>',
    );
  });
});
