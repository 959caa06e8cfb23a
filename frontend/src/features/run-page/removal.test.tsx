import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { DeleteButton } from "@/entities/removal/DeleteButton";
import { runDetail } from "@/test/fixtures";
import { show } from "@/test/render";
import { FailedRunWork } from "./RunPage";

const RUN = { kind: "run", id: runDetail().run_id } as const;
const GIVEN_UP = { work: "judge", attempts: 5, error: "the record is damaged", given_up_at: "2026-11-20T17:00:00Z" };

/** Mocks the API for a session with these capabilities; returns the requests besides that for the session. */
function api(...capabilities: string[]): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { method, url } = request as Request;
    const path = new URL(url).pathname;
    if (path === "/api/v1/session") return Response.json({ capabilities });
    asked.push(`${method} ${path}`);
    return method === "DELETE" ? new Response(null, { status: 204 }) : Response.json({ works: ["judge"] });
  });
  return asked;
}

describe("work that was given up", () => {
  it("is named with its attempts and reason, and tried again on request", async () => {
    const asked = api("retry");
    show(<FailedRunWork run={runDetail({ given_up: [GIVEN_UP] })} />);
    expect(screen.getByRole("alert").textContent).toContain(
      "Verdicts: given up after 5 attempts. The record is damaged.",
    );
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: "Tried again soon" })).toBeTruthy();
    expect(asked).toEqual([`POST /api/v1/runs/${RUN.id}/retry`]);
  });

  it("has no button for who may not", async () => {
    api("read");
    show(<FailedRunWork run={runDetail({ given_up: [GIVEN_UP] })} />);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("is not mentioned where nothing failed", () => {
    api("retry");
    show(<FailedRunWork run={runDetail()} />);
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("deleting", () => {
  it("says what goes and what stays, and deletes only when confirmed", async () => {
    const asked = api("delete");
    const deleted = vi.fn();
    show(<DeleteButton subject={RUN} title="A run" onDeleted={deleted} />);
    await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
    const dialog = await screen.findByRole("dialog", { name: "Delete this run?" });
    expect(dialog.textContent).toContain("measurements, verdicts, findings and ratings go at once and for good");
    expect(dialog.textContent).toContain("Its id, the time of deletion and whether it was published stay");
    expect(asked).toEqual([]);
    await userEvent.click(within(dialog).getByRole("button", { name: "Delete for good" }));
    await vi.waitFor(() => expect(deleted).toHaveBeenCalledOnce());
    expect(asked).toEqual([`DELETE /api/v1/runs/${RUN.id}`]);
  });
});
