import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runDetail, timeline } from "@/test/fixtures";
import { appendTicks, endOfData, halve, MOST_POINTS, marksOf } from "./timelineCache";
import type { Tick } from "./types";

const definitions = runDetail().series;

const tick = (seq: number, changes: Partial<Tick> = {}): Tick => ({
  series_no: 0,
  seq,
  start_ns: seq * 1_000_000_000,
  duration_ns: 1_000_000_000,
  count: 1999,
  errors: 1,
  timeouts: 0,
  unfinished: 0,
  sum_ns: 300_000_000,
  min_ns: 70_000,
  max_ns: 2_000_000,
  pins: [7, 2, 1],
  target_count: 2000,
  lateness_max_ns: 50_000,
  lateness_p99_ns: 45_000,
  busy_ns: 300_000_000,
  in_flight: 4,
  oldest_in_flight_ns: 2_000_000,
  temperature_millicelsius: 42_250,
  ...changes,
});

describe("live ticks", () => {
  it("append after the snapshot, each once", () => {
    const before = timeline(4);
    const marks = marksOf(before);
    const first = appendTicks(before, marks, definitions, [tick(3), tick(4), tick(5)]);
    expect(first.gap).toBe(false);
    expect(first.throughNs).toBe(6_000_000_000);
    expect(first.timeline.series[0]!.ticks.count).toEqual([2000, 2000, 2000, 2000, 1999, 1999]);
    expect(first.timeline.series[0]!.ticks.over).toEqual([
      [5, 5, 5, 5, 7, 7],
      [1, 1, 1, 1, 2, 2],
      [0, 0, 0, 0, 1, 1],
    ]);
    expect(before.series[0]!.ticks.count).toHaveLength(4);
    expect(first.timeline.series[1]).toBe(before.series[1]);
    const { ticks } = first.timeline.series[0]!;
    expect(ticks.lateness_p99_ns).toEqual([40_000, 40_000, 40_000, 40_000, 45_000, 45_000]);
    expect(ticks.busy_ratio).toEqual([0.25, 0.25, 0.25, 0.25, 0.3, 0.3]);
    expect(ticks.in_flight).toEqual([3, 3, 3, 3, 4, 4]);
    expect(ticks.oldest_in_flight_ns.at(-1)).toBe(2_000_000);
    expect(ticks.temperature_celsius.at(-1)).toBe(42.25);
    expect(before.series[0]!.ticks.in_flight).toHaveLength(4);

    const again = appendTicks(first.timeline, marks, definitions, [tick(4), tick(5)]);
    expect(again.timeline).toBe(first.timeline);
    expect(again.gap).toBe(false);
  });

  it("report a hole, and a series that nobody described", () => {
    const before = timeline(4);
    const marks = marksOf(before);
    const grown = appendTicks(before, marks, definitions, [tick(4)]).timeline;
    expect(appendTicks(grown, marks, definitions, [tick(7)]).gap).toBe(true);
    expect(appendTicks(before, marksOf(before), definitions, [tick(9)]).gap).toBe(true);
    expect(appendTicks(before, marksOf(before), definitions, [tick(4, { series_no: 99 })]).gap).toBe(true);
  });

  it("of two devices in the same second add up", () => {
    const two = [...definitions, { ...definitions[0]!, series_no: 8, device: "other" }];
    const before = timeline(4);
    const grown = appendTicks(before, marksOf(before), two, [
      tick(4),
      tick(4, {
        series_no: 8,
        min_ns: null,
        max_ns: 9_000_000,
        target_count: null,
        lateness_p99_ns: null,
        busy_ns: 700_000_000,
        in_flight: 6,
        oldest_in_flight_ns: 1_000,
        temperature_millicelsius: -1_500,
      }),
      tick(5, { in_flight: null, temperature_millicelsius: null }),
      tick(5, { series_no: 8 }),
    ]);
    const { ticks } = grown.timeline.series[0]!;
    expect(grown.gap).toBe(false);
    expect(ticks.count.at(-2)).toBe(3998);
    expect(ticks.min_ns.at(-2)).toBe(70_000);
    expect(ticks.max_ns.at(-2)).toBe(9_000_000);
    expect(ticks.target_count.at(-2)).toBeNull();
    expect(ticks.lateness_p99_ns.at(-2)).toBe(45_000);
    expect(ticks.busy_ratio.at(-2)).toBe(0.7);
    expect(ticks.in_flight.slice(-2)).toEqual([10, null]);
    expect(ticks.oldest_in_flight_ns.at(-2)).toBe(2_000_000);
    expect(ticks.temperature_celsius.slice(-2)).toEqual([42.25, 42.25]);
  });

  it("of devices are not added to a series that speaks of all of them", () => {
    const all = { ...definitions[0]!, series_no: 9, device: null };
    const devices = [definitions[0]!, { ...definitions[0]!, series_no: 8, device: "other" }];
    const before = timeline(4);
    const batch = [tick(4, { series_no: 9, count: 4000 }), tick(4), tick(4, { series_no: 8 })];
    const grown = appendTicks(
      before,
      marksOf(before),
      [all, ...devices.map((one) => ({ ...one, device: one.device ?? "one" }))],
      batch,
    );
    expect(grown.gap).toBe(false);
    expect(grown.timeline.series[0]!.ticks.count.at(-1)).toBe(4000);
  });

  it("end in the same timeline whatever the order of arrival inside a batch", () => {
    const batch = [4, 5, 6, 7, 8].map((seq) => tick(seq));
    const wanted = appendTicks(timeline(4), marksOf(timeline(4)), definitions, batch);
    fc.assert(
      fc.property(fc.shuffledSubarray(batch, { minLength: batch.length }), (shuffled) => {
        expect(appendTicks(timeline(4), marksOf(timeline(4)), definitions, shuffled)).toEqual(wanted);
      }),
    );
  });

  it("never hold more points than a screen shows, and lose no count", () => {
    let current = timeline(4);
    const marks = marksOf(current);
    for (let seq = 4; seq < 4 * MOST_POINTS; seq += 1) {
      current = appendTicks(current, marks, definitions, [tick(seq)]).timeline;
      expect(current.series[0]!.ticks.count.length).toBeLessThanOrEqual(MOST_POINTS);
    }
    const { ticks } = current.series[0]!;
    expect(ticks.count.reduce((sum, count) => sum + count, 0)).toBe(4 * 2000 + (4 * MOST_POINTS - 4) * 1999);
    expect(endOfData(current)).toBe(4 * MOST_POINTS * 1_000_000_000);
  });
});

describe("merging neighbours", () => {
  it("adds counts, keeps extremes and an odd last point", () => {
    const { ticks } = timeline(3).series[0]!;
    const merged = halve({
      ...ticks,
      max_ns: [null, 9, 4],
      min_ns: [null, null, 3],
      busy_ratio: [0.1, 0.9, null],
      in_flight: [8, 2, 1],
      temperature_celsius: [-5, null, null],
    });
    expect(merged.start_ns).toEqual([0, 2_000_000_000]);
    expect(merged.duration_ns).toEqual([2_000_000_000, 1_000_000_000]);
    expect(merged.count).toEqual([4000, 2000]);
    expect(merged.max_ns).toEqual([9, 4]);
    expect(merged.min_ns).toEqual([null, 3]);
    expect(merged.over[0]).toEqual([10, 5]);
    expect(merged.busy_ratio).toEqual([0.9, null]);
    expect(merged.in_flight).toEqual([8, 1]);
    expect(merged.temperature_celsius).toEqual([-5, null]);
    expect(merged.lateness_p99_ns).toEqual([40_000, 40_000]);
  });
});
