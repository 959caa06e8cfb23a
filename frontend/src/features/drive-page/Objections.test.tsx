import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { DriveTest } from "@/api/drivePage";
import { show } from "@/test/render";
import { Objections } from "./Objections";

const TEST = {
  test_id: "blog:row:total",
  load: 3,
  metric_class: "total",
  visibility: "public",
  source: { title: "A blog" },
} as DriveTest;
const PUBLISHED = {
  objection_id: "1",
  drive_slug: "fast",
  test_id: TEST.test_id,
  about: "3x, A blog",
  reason: "Not purged.",
  made_at: "2026-11-20T17:00:00Z",
  state: "published",
  answer: "The source says it was.",
  decided_at: "2026-11-21T17:00:00Z",
  is_own: false,
  made_by: null,
};
const OWN = {
  ...PUBLISHED,
  objection_id: "2",
  state: "open",
  answer: null,
  decided_at: null,
  is_own: true,
  made_by: "me",
};

function api(items: unknown[], capabilities: string[]): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    const path = new URL(request.url).pathname;
    if (path === "/api/v1/session") return Response.json({ capabilities });
    if (request.method === "GET") return Response.json({ items });
    asked.push(`${request.method} ${path} ${await request.text()}`);
    return Response.json(OWN, { status: request.method === "POST" ? 201 : 200 });
  });
  return asked;
}

describe("objections to the tests of a drive", () => {
  it("show reason, answer and dates to visitors, who cannot object", async () => {
    api([PUBLISHED], ["read"]);
    show(<Objections slug="fast" tests={[TEST]} />);
    const list = within(await screen.findByRole("list"));
    expect(list.getByText(/3x, A blog, .*: Not purged\./)).toBeTruthy();
    expect(list.getByText(/Answer, .*: The source says it was\./)).toBeTruthy();
    expect(screen.queryByText("Object to a test")).toBeNull();
  });

  it("are made with a reason, and withdrawn by their own organisation", async () => {
    const asked = api([OWN], ["read", "object"]);
    show(<Objections slug="fast" tests={[TEST]} />);
    await userEvent.click(await screen.findByText("Object to a test"));
    await userEvent.type(screen.getByRole("textbox", { name: "What is wrong with it" }), " It was\nshort. ");
    await userEvent.click(screen.getByRole("button", { name: "Object" }));
    await userEvent.click(screen.getByRole("button", { name: "Withdraw" }));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[0]).toBe(`POST /api/v1/objections {"test_id":"${TEST.test_id}","reason":"It was short."}`);
    expect(asked[1]).toContain("DELETE /api/v1/objections/2");
  });

  it("are not there where there is nothing to say or do", async () => {
    api([], ["read"]);
    const { container } = show(<Objections slug="fast" tests={[TEST]} />);
    await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
    expect(container.querySelector("section")).toBeNull();
  });
});
