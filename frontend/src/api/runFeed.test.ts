import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RUN_ID, runDetail, timeline } from "@/test/fixtures";
import { runKeys } from "./queries";
import { RunFeed } from "./runFeed";
import type { Timeline } from "./types";

/** Server side of an event stream, controlled by the test. */
class Stream extends EventTarget {
  static opened: Stream[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;

  constructor(readonly address: string) {
    super();
    Stream.opened.push(this);
  }

  close(): void {
    this.closed = true;
  }

  send(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

const latest = (): Stream => Stream.opened.at(-1)!;

const tick = (seq: number) => ({
  series_no: 0,
  seq,
  start_ns: seq * 1e9,
  duration_ns: 1e9,
  count: 10,
  errors: 0,
  timeouts: 0,
  unfinished: 0,
  sum_ns: 1000,
  min_ns: 1,
  max_ns: 500,
  pins: [0, 0, 0],
  target_count: 10,
  lateness_max_ns: 0,
});

describe("the feed of a live run", () => {
  let queries: QueryClient;
  let feed: RunFeed;
  let asked: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("EventSource", Stream);
    Stream.opened = [];
    queries = new QueryClient();
    queries.setQueryData(runKeys.detail(RUN_ID), runDetail());
    queries.setQueryData(runKeys.timeline(RUN_ID), timeline(4));
    asked = [];
    vi.spyOn(queries, "invalidateQueries").mockImplementation((filters) => {
      asked.push(String(filters?.queryKey?.at(-1)));
      return Promise.resolve();
    });
    feed = new RunFeed(queries, RUN_ID);
    feed.start();
  });

  afterEach(() => {
    feed.stop();
    vi.useRealTimers();
  });

  const counts = (): number[] => queries.getQueryData<Timeline>(runKeys.timeline(RUN_ID))!.series[0]!.ticks.count;

  it("draws ticks that come together together", () => {
    latest().onopen?.();
    expect(feed.state().connection).toBe("open");
    latest().send("ticks", { run_id: RUN_ID, ticks: [tick(4)] });
    latest().send("ticks", { run_id: RUN_ID, ticks: [tick(5)] });
    expect(counts()).toHaveLength(4);
    vi.advanceTimersByTime(250);
    expect(counts()).toEqual([2000, 2000, 2000, 2000, 10, 10]);
    expect(feed.state().lastTickAtMs).not.toBeNull();
    expect(asked).toEqual([]);
  });

  it("completes a snapshot that was on its way while ticks came", async () => {
    latest().onopen?.();
    latest().send("ticks", { run_id: RUN_ID, ticks: [tick(4), tick(5)] });
    vi.advanceTimersByTime(250);
    queries.setQueryData(runKeys.timeline(RUN_ID), timeline(5));
    await Promise.resolve();
    expect(counts()).toEqual([2000, 2000, 2000, 2000, 2000, 10]);
  });

  it("asks again for what an event says has changed, the heavy parts at most every two seconds", () => {
    latest().onopen?.();
    for (let round = 0; round < 5; round += 1) {
      latest().send("changed", { run_id: RUN_ID, what: ["slices"], state: "running" });
    }
    expect(asked.filter((key) => key === "timeline")).toHaveLength(1);
    vi.advanceTimersByTime(2_100);
    expect(asked.filter((key) => key === "timeline")).toHaveLength(2);
    latest().send("changed", { run_id: RUN_ID, what: ["state", "verdicts"], state: "finished" });
    expect(asked).toContain("detail");
    expect(asked.filter((key) => key === "timeline")).toHaveLength(3);
  });

  it("reconnects with growing waits, polls meanwhile, and asks for what it missed", async () => {
    latest().onopen?.();
    latest().onerror?.();
    expect(feed.state()).toMatchObject({ connection: "reconnecting", attempt: 1 });
    vi.advanceTimersByTime(1_000);
    expect(Stream.opened).toHaveLength(2);
    latest().onerror?.();
    expect(feed.state().attempt).toBe(2);
    vi.advanceTimersByTime(1_900);
    expect(Stream.opened).toHaveLength(2);
    vi.advanceTimersByTime(200);
    expect(Stream.opened).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).toEqual(expect.arrayContaining(["detail", "timeline"]));
    asked.length = 0;
    latest().onopen?.();
    expect(feed.state()).toMatchObject({ connection: "open", attempt: 0 });
    expect(asked).toEqual(expect.arrayContaining(["detail", "timeline", "percentiles", "exceedance"]));
    asked.length = 0;
    vi.advanceTimersByTime(20_000);
    expect(asked).toEqual([]);
    expect(Stream.opened[0]!.closed).toBe(true);
  });

  it("retries at once when told to, and stops for good when stopped", () => {
    latest().onerror?.();
    feed.retry();
    expect(Stream.opened).toHaveLength(2);
    feed.stop();
    expect(latest().closed).toBe(true);
    expect(feed.state().connection).toBe("closed");
    vi.advanceTimersByTime(60_000);
    expect(Stream.opened).toHaveLength(2);
  });

  it("asks for a snapshot after a hole or an event it cannot read", () => {
    latest().onopen?.();
    latest().send("ticks", { run_id: RUN_ID, ticks: [tick(4), tick(9)] });
    vi.advanceTimersByTime(250);
    expect(asked).toEqual(expect.arrayContaining(["detail", "timeline"]));
    asked.length = 0;
    vi.advanceTimersByTime(3_000);
    latest().send("ticks", { nonsense: true });
    expect(asked).toContain("timeline");
  });
});
