// Creates the messages of a ten-minute run: a device run at 1x as the agent sends it, three operations on two clocks,
// ticks each second and histograms every ten seconds, with latencies around 0.2 ms from a seeded generator.
import { randomBytes } from "node:crypto";
import { Histogram } from "./hdr.ts";

export const duration_s = 600;
const histogramEvery_s = 10;
const second_ns = 1_000_000_000;
const limits_ns = [1_000_000, 8_000_000, 64_000_000];
const operations = [
  { operation: "read", rate: 2_000, base_ns: 180_000 },
  { operation: "large-block-read", rate: 23.53, base_ns: 400_000 },
  { operation: "large-block-write", rate: 23.53, base_ns: 700_000 },
];
const clocks = ["response", "service"];

export interface Batch {
  series: object[];
  intervals: object[];
}

export interface PreparedRun {
  runId: string;
  announcement: object;
  /** One batch per ten seconds. */
  batches: Batch[];
  finish: object;
}

export function prepareRun(title: string, seed: number): PreparedRun {
  const runId = uuid7();
  const random = generator(seed);
  const lanes = operations.flatMap(({ operation, rate, base_ns }, kind) =>
    clocks.map((clock, clockNo) => ({ operation, rate, base_ns, clock, first: kind * 4 + clockNo * 2 })),
  );
  const series = lanes.flatMap((lane) => [
    definition(lane, "tick", lane.first),
    definition(lane, "histogram", lane.first + 1),
  ]);
  const batches = Array.from({ length: duration_s / histogramEvery_s }, (_, position) => ({
    series: position === 0 ? series : [],
    intervals: lanes.flatMap((lane) => intervals(lane, position, random)),
  }));
  const lastSeq = lanes.flatMap((lane) => [
    [lane.first, duration_s - 1],
    [lane.first + 1, duration_s / histogramEvery_s - 1],
  ]);
  return {
    runId,
    announcement: {
      run_id: runId,
      title,
      workload: "act-storage",
      started_at_unix_ns: (Date.now() - duration_s * 1_000) * 1_000_000,
      planned_duration_ns: duration_s * second_ns,
      agent: { version: "0.1.0", commit: null },
      host: { hostname: "bench" },
      plan: {
        workload: "act-storage",
        duration_s,
        histogram_every_s: histogramEvery_s,
        act_storage: { limits_ns, load_multiple: 1 },
      },
    },
    batches,
    finish: {
      outcome: "completed",
      reason: null,
      duration_ns: duration_s * second_ns,
      last_seq: Object.fromEntries(lastSeq),
    },
  };
}

interface Lane {
  operation: string;
  rate: number;
  base_ns: number;
  clock: string;
  first: number;
}

function definition(lane: Lane, kind: "tick" | "histogram", seriesNo: number): object {
  return {
    series_no: seriesNo,
    operation: lane.operation,
    clock: lane.clock,
    kind,
    phase: "main",
    host: "bench",
    device: "/dev/bench",
    layout: kind === "tick" ? null : { t: "hdr", unit_ns: 1_000, significant_digits: 3 },
    pin_thresholds_ns: limits_ns,
    target_rate_per_s: lane.rate,
  };
}

/** Returns ten ticks and the histogram over them. */
function intervals(lane: Lane, position: number, random: () => number): object[] {
  const histogram = new Histogram();
  const start_s = position * histogramEvery_s;
  const ticks = Array.from({ length: histogramEvery_s }, (_, second) => {
    const from = Math.ceil((start_s + second) * lane.rate);
    const count = Math.ceil((start_s + second + 1) * lane.rate) - from;
    const latencies = Array.from({ length: count }, () => latency(lane.base_ns, random));
    for (const latency_ns of latencies) histogram.recordNs(latency_ns);
    return interval(lane.first, start_s + second, start_s + second, 1, latencies, null);
  });
  const whole = ticks.flatMap((tick) => tick.latencies);
  const merged = interval(lane.first + 1, position, start_s, histogramEvery_s, whole, histogram.encode());
  return [...ticks, merged].map(({ latencies: _, ...message }) => message);
}

function interval(
  series: number,
  seq: number,
  start_s: number,
  length_s: number,
  latencies: number[],
  histogram: string | null,
) {
  const sum_ns = latencies.reduce((sum, each) => sum + each, 0);
  return {
    latencies,
    series,
    seq,
    start_ns: start_s * second_ns,
    duration_ns: length_s * second_ns,
    count: latencies.length,
    errors: 0,
    timeouts: 0,
    unfinished: 0,
    sum_ns,
    min_ns: latencies.reduce((least, each) => Math.min(least, each), Number.MAX_SAFE_INTEGER),
    max_ns: latencies.reduce((most, each) => Math.max(most, each), 0),
    pins: limits_ns.map((limit) => latencies.filter((each) => each >= limit).length),
    target_count: latencies.length,
    lateness_max_ns: 50_000,
    histogram,
  };
}

/** Returns a latency in nanoseconds: usually around the base, one in a thousand up to about fifty times that. */
function latency(base_ns: number, random: () => number): number {
  const body = base_ns * (0.7 + 0.3 * -Math.log(1 - random()));
  return Math.round(random() < 0.001 ? body * (1 + 50 * random()) : body);
}

/** mulberry32: a small seeded generator, good enough for test data. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function uuid7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
