// Updates one live run in the query cache: by event stream, by new snapshots after each disconnect, and by polling
// while no stream can be opened.
import { hashKey, type QueryClient } from "@tanstack/react-query";
import { runKeys } from "./queries";
import { appendTicks, endOfData, type LiveMarks, marksOf } from "./timelineCache";
import type { RunDetail, RunState, Tick, Timeline } from "./types";

type Change = "state" | "verdicts" | "slices";

export type FeedState = {
  /** `connecting` at first, `open` while events arrive, `reconnecting` after a disconnect, `closed` after `stop`. */
  readonly connection: "connecting" | "open" | "reconnecting" | "closed";
  /** Failed attempts since the stream was last open. */
  readonly attempt: number;
  /** Time of the last tick by `performance.now()`, in milliseconds; `null` before the first. */
  readonly lastTickAtMs: number | null;
};

/** Time in milliseconds within which ticks are rendered together. */
const BATCH_MS = 200;
const MOST_RECENT = 400;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
/** Failed attempts after which snapshots are polled. */
const POLL_FROM_ATTEMPT = 2;
const POLL_MS = 4_000;
/** Shortest interval between refetches of timeline and curves, in milliseconds. They are large, and in longer runs each
 * point covers more time, so the interval grows up to `LONGEST_REFRESH_MS`. */
const REFRESH_MS = 2_000;
const LONGEST_REFRESH_MS = 30_000;
const POINTS_OF_A_SCREEN = 300;

export class RunFeed {
  #state: FeedState = { connection: "connecting", attempt: 0, lastTickAtMs: null };
  readonly #listeners = new Set<() => void>();
  readonly #queries: QueryClient;
  readonly #runId: string;
  #stream: EventSource | null = null;
  /** Latest ticks, rendered or not. They complete a snapshot that was requested before they arrived. */
  #recent: Tick[] = [];
  #dirty = false;
  #unwatch: (() => void) | undefined;
  #marks: { of: unknown; marks: LiveMarks } | null = null;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pollTimer: ReturnType<typeof setInterval> | undefined;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;

  constructor(queries: QueryClient, runId: string) {
    this.#queries = queries;
    this.#runId = runId;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): FeedState => this.#state;

  start(): void {
    const hash = hashKey(runKeys.timeline(this.#runId));
    this.#unwatch = this.#queries.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "success" || event.query.queryHash !== hash) return;
      if (event.query.state.data === this.#marks?.of || this.#recent.length === 0) return;
      this.#dirty = true;
      queueMicrotask(() => this.#draw());
    });
    this.#connect();
  }

  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    this.#stopPolling();
    this.#closeStream();
    this.#recent = [];
    this.#dirty = false;
    this.#change({ connection: "closed", attempt: 0 });
  }

  /** Reconnects now instead of at the next scheduled attempt. */
  retry(): void {
    if (this.#state.connection !== "reconnecting") return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  #connect(): void {
    this.#closeStream();
    const stream = new EventSource(`/api/v1/runs/${encodeURIComponent(this.#runId)}/events`);
    this.#stream = stream;
    stream.onopen = () => {
      const broken = this.#state.attempt > 0 || this.#state.connection === "reconnecting";
      this.#stopPolling();
      this.#change({ connection: "open", attempt: 0 });
      // Changes during the disconnect are only in new snapshots.
      if (broken) this.#invalidate(["state", "verdicts", "slices"], true);
    };
    stream.addEventListener("ticks", (event) => this.#onTicks((event as MessageEvent<string>).data));
    stream.addEventListener("changed", (event) => this.#onChanged((event as MessageEvent<string>).data));
    stream.onerror = () => this.#onBreak();
  }

  #onBreak(): void {
    this.#closeStream();
    const attempt = this.#state.attempt + 1;
    this.#change({ connection: "reconnecting", attempt });
    if (attempt >= POLL_FROM_ATTEMPT) this.#startPolling();
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#connect(), wait);
  }

  #onTicks(data: string): void {
    const { ticks } = JSON.parse(data) as { ticks?: Tick[] };
    if (ticks === undefined) {
      this.#invalidate(["slices"]);
      return;
    }
    this.#recent.push(...ticks);
    if (this.#recent.length > MOST_RECENT) this.#recent = this.#recent.slice(-MOST_RECENT);
    this.#dirty = true;
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      this.#change({ lastTickAtMs: performance.now() });
      this.#draw();
    }, BATCH_MS);
  }

  #draw(): void {
    if (!this.#dirty) return;
    const timelineKey = runKeys.timeline(this.#runId);
    const timeline = this.#queries.getQueryData<Timeline>(timelineKey);
    const detail = this.#queries.getQueryData<RunDetail>(runKeys.detail(this.#runId));
    // Before the first snapshot there is nothing to append to, and the snapshot will contain these ticks.
    if (timeline === undefined || detail === undefined) return;
    this.#dirty = false;
    if (this.#marks?.of !== timeline) this.#marks = { of: timeline, marks: marksOf(timeline) };
    const appended = appendTicks(timeline, this.#marks.marks, detail.series, this.#recent);
    if (appended.timeline !== timeline) {
      const updatedAt = this.#queries.getQueryState(timelineKey)?.dataUpdatedAt;
      this.#queries.setQueryData(timelineKey, appended.timeline, updatedAt === undefined ? {} : { updatedAt });
      // The cache can reuse parts of the previous value: the marks must refer to the object it holds now.
      this.#marks = { of: this.#queries.getQueryData(timelineKey), marks: this.#marks.marks };
    }
    if (appended.gap) this.#invalidate(["state", "slices"]);
  }

  #onChanged(data: string): void {
    const { what, state } = JSON.parse(data) as { what: Change[]; state: RunState };
    this.#invalidate(what, state === "finished");
    // Live runs poll their course over time; at the end, it must be refetched once more.
    if (state === "finished") void this.#queries.invalidateQueries({ queryKey: runKeys.course(this.#runId) });
  }

  #invalidate(what: readonly Change[], now = false): void {
    if (what.includes("state") || what.includes("verdicts")) {
      void this.#queries.invalidateQueries({ queryKey: runKeys.detail(this.#runId) });
      void this.#queries.invalidateQueries({ queryKey: runKeys.findings(this.#runId) });
      void this.#queries.invalidateQueries({ queryKey: runKeys.ladders() });
      void this.#queries.invalidateQueries({ queryKey: runKeys.lists(), refetchType: "none" });
    }
    if (what.includes("slices") || what.includes("verdicts")) this.#refresh(now);
  }

  #refresh(now: boolean): void {
    const wait = now ? 0 : this.#refreshedAtMs + this.#refreshEveryMs() - performance.now();
    if (wait > 0) {
      this.#refreshTimer ??= setTimeout(() => this.#refresh(true), wait);
      return;
    }
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = undefined;
    this.#refreshedAtMs = performance.now();
    for (const key of [runKeys.timeline, runKeys.percentiles, runKeys.exceedance]) {
      void this.#queries.invalidateQueries({ queryKey: key(this.#runId) });
    }
  }

  #refreshEveryMs(): number {
    const timeline = this.#queries.getQueryData<Timeline>(runKeys.timeline(this.#runId));
    const pointMs = timeline === undefined ? 0 : endOfData(timeline) / 1e6 / POINTS_OF_A_SCREEN;
    return Math.min(LONGEST_REFRESH_MS, Math.max(REFRESH_MS, pointMs));
  }

  #startPolling(): void {
    this.#pollTimer ??= setInterval(() => void this.#poll(), POLL_MS);
  }

  /** Fetches the run first: if that fails, the larger queries are skipped. */
  async #poll(): Promise<void> {
    const detailKey = runKeys.detail(this.#runId);
    await this.#queries.invalidateQueries({ queryKey: detailKey });
    const answered = this.#queries.getQueryState(detailKey)?.status === "success";
    if (answered && this.#pollTimer !== undefined) this.#refresh(true);
  }

  #stopPolling(): void {
    clearInterval(this.#pollTimer);
    this.#pollTimer = undefined;
  }

  #closeStream(): void {
    if (this.#stream === null) return;
    this.#stream.onopen = null;
    this.#stream.onerror = null;
    this.#stream.close();
    this.#stream = null;
  }

  #change(next: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener();
  }
}
