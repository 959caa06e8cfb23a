import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Trend } from "@/api/watches";
import { show } from "@/test/render";
import { barsOf, changesOf, rangeOf } from "./TrendPanel";
import { WatchPage } from "./WatchPage";

const RUN = (number: number) => `019b76da-a800-7d41-9c3e-5f0a1b2c3d4${number}`;
const WATCH = {
  watch_id: "019b76da-a800-7d41-9c3e-5f0a1b2c3d4f",
  name: "nightly drive",
  run_title: "nightly",
  host_name: null,
  target_name: null,
  budget_name: "act-limits",
  webhook_host: "chat.example",
  email: null,
  verdict: "FAIL",
  strength: "observed",
  words: "FAIL in this run",
  created_at: "2026-11-20T17:00:00Z",
  results: [
    { run_id: RUN(1), started_at: "2026-11-20T17:00:00Z", verdict: "PASS", statement: "0.1 % over 1 ms" },
    { run_id: RUN(2), started_at: "2026-11-21T17:00:00Z", verdict: "FAIL", statement: "9 % over 1 ms" },
  ],
  alerts: [
    {
      alert_id: RUN(9),
      channel: "webhook",
      created_at: "2026-11-21T18:00:00Z",
      text: "nightly drive: PASS → FAIL.",
      attempts: 2,
      delivered_at: null,
      error: "chat.example answers 503",
    },
  ],
};
const figure = (lower: number, upper: number | null) => ({
  quantity: "latency_p99_ns",
  lower,
  upper,
  lower_limit: null,
  upper_limit: null,
  why_no_limits: "",
});
const point = (number: number, lower: number, upper: number | null, firmware = ""): Trend["points"][number] => ({
  run_id: RUN(number),
  title: "nightly",
  started_at: "2026-11-20T17:00:00Z",
  verdict: "PASS",
  strength: "proven",
  strength_changed: false,
  words: "PASS, proven",
  figures: [figure(lower, upper)],
  facts_changed: firmware === "" ? [] : [{ name: "host.block_devices.1.firmware", before: "1.0", after: firmware }],
  facts_changed_count: firmware === "" ? 0 : 1,
});
const TREND: Trend = {
  watch_id: WATCH.watch_id,
  name: WATCH.name,
  operation: "read",
  clock: "response",
  points: [point(1, 1_000_000, 1_001_000), point(2, 2_000_000, 2_001_000, "2.0")],
  steps: [{ quantity: "latency_p99_ns", run_id: RUN(2), before: 1_000_500, after: 2_000_500, p_value: 0 }],
  undecided: [],
};

function api(watches: unknown[], capabilities: string[]): { asked: string[]; bodies: unknown[] } {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (given) => {
    const request = given as Request;
    const path = new URL(request.url).pathname;
    if (path === "/api/v1/session") return Response.json({ capabilities });
    if (path === "/api/v1/budgets")
      return Response.json({ items: [{ document: { name: "act-limits", title: "ACT limits" } }] });
    if (path.endsWith("/trend")) return Response.json(TREND);
    if (request.method === "GET") return Response.json({ watches });
    asked.push(`${request.method} ${path}`);
    if (path === "/api/v1/watches") {
      bodies.push(await request.json());
      return Response.json({ ...WATCH, webhook_secret: "the secret" }, { status: 201 });
    }
    return request.method === "DELETE" ? new Response(null, { status: 204 }) : Response.json(WATCH, { status: 202 });
  });
  return { asked, bodies };
}

describe("what is watched", () => {
  it("shows verdicts, what became of alerts, and the trend with what changed", async () => {
    api([WATCH], ["watch"]);
    show(<WatchPage />);
    const card = await screen.findByRole("region", { name: "nightly drive" });
    expect(within(card).getByRole("img").getAttribute("aria-label")).toBe(
      "The latest 2 runs: 1 PASS, 1 FAIL, 0 undecided",
    );
    expect(card.textContent).toContain("FAIL in this run");
    expect(card.textContent).toContain("not delivered after 2 attempts (chat.example answers 503)");
    await userEvent.click(within(card).getByRole("button", { name: "Trend" }));
    await within(card).findByText(/Changed then: host\.block_devices\.1\.firmware: 1\.0 → 2\.0\./);
    expect(within(card).getAllByRole("row")).toHaveLength(3);
    expect(within(card).getAllByRole("cell", { name: "PASS, proven" })).toHaveLength(2);
  });

  it("makes a watch and shows the secret of its webhook once", async () => {
    const { asked, bodies } = api([], ["watch"]);
    show(<WatchPage />);
    const form = await screen.findByRole("form", { name: "Watch a configuration" });
    await userEvent.type(within(form).getByLabelText(/^Name/), "nightly drive");
    await userEvent.type(within(form).getByLabelText("Title of the runs"), " nightly ");
    await within(form).findByRole("option", { name: "ACT limits" });
    await userEvent.click(within(form).getByRole("button", { name: "Watch" }));
    expect((await within(form).findByRole("status")).textContent).toContain("the secret");
    expect(asked).toEqual(["POST /api/v1/watches"]);
    expect(bodies).toEqual([
      {
        name: "nightly drive",
        budget_name: "act-limits",
        run_title: "nightly",
        host_name: null,
        target_name: null,
        webhook_url: null,
        email: null,
      },
    ]);
  });

  it("offers nothing to change to whoever may only read", async () => {
    api([WATCH], ["read"]);
    show(<WatchPage />);
    const card = await screen.findByRole("region", { name: "nightly drive" });
    expect(
      within(card)
        .getAllByRole("button")
        .map((one) => one.textContent),
    ).toEqual(["Trend"]);
    expect(screen.queryByRole("form")).toBeNull();
  });
});

describe("the scale of a trend", () => {
  it("leaves out runs without the quantity, and never has no height", () => {
    const bars = barsOf([point(1, 5, 5), point(2, 5, null)], "latency_p99_ns");
    expect(bars).toHaveLength(1);
    const [low, high] = rangeOf(bars);
    expect(low).toBeLessThan(5);
    expect(high).toBeGreaterThan(5);
  });

  it("counts what it does not name", () => {
    expect(changesOf({ ...point(1, 1, 1, "2.0"), facts_changed_count: 4 })).toEqual([
      "host.block_devices.1.firmware: 1.0 → 2.0",
      "and 3 more",
    ]);
  });
});
