import { describe, expect, it } from "vitest";
import type { TimelineSeries, Validity } from "@/api/types";
import { tableOf } from "@/charts/spec";
import type { Assessment } from "@/entities/run/words";
import { exceedanceVerdict, runDetail, timeline } from "@/test/fixtures";
import { latenessSpec, temperatureSpec } from "./generatorSpecs";
import {
  headline,
  lateLimitName,
  loadLines,
  sliceLines,
  unreliableReason,
  validityOf,
  whyUnknown,
} from "./generatorWords";

const base = timeline(4).series[0]!;
const span = { plannedNs: 30e9, live: true };
const plain = (text: string | null | undefined): string => (text ?? "").replaceAll("\u00a0", " ");
const said = (one: Assessment | undefined): string => plain(one?.text ?? `unknown: ${one?.reason}`);

const validity = (changes: Partial<Validity> = {}): Validity => ({
  slices: 30,
  doubtful: 0,
  late: 0,
  busy: 0,
  lateness_p99_ns: 42_137,
  busy_ratio: 0.314,
  late_limit_ns: 100_000,
  is_known: true,
  ...changes,
});

const withTicks = (changes: Partial<TimelineSeries["ticks"]>): TimelineSeries => ({
  ...base,
  ticks: { ...base.ticks, ...changes },
});

const upload = runDetail({ source: "upload", tool: "act", state: "finished" });

describe("the lines of doubt", () => {
  it("are the lateness that the question allows, and seven tenths of the time", () => {
    expect(plain(lateLimitName(100_000_000))).toBe("allowed 100 ms");
    expect(lateLimitName(null)).toBeNull();
    expect(unreliableReason(100_000, 0.7, 100_000)).toBeNull();
    expect(unreliableReason(100_001, 0.7, 100_000)).toBe("late");
    expect(unreliableReason(100_001, 0.71, 100_000)).toBe("late and busy");
    expect(unreliableReason(null, 0.71, 100_000)).toBe("busy");
    expect(unreliableReason(null, null, 100_000)).toBeNull();
  });
});

describe("what the slices say", () => {
  const lines = (run = runDetail(), one: Validity | null = validity()): string[] =>
    sliceLines(run, one).map((line) => `${line.name}: ${said(line.value)}`);

  it("has the figures beside what is allowed", () => {
    expect(lines()).toEqual([
      "Unreliable slices: none of 30",
      "Lateness, p99: 42.2 µs in the worst slice, allowed 100 µs",
      "Busiest thread: 31 % of its time in the worst slice, allowed 70 %",
    ]);
    expect(lines(runDetail(), validity({ doubtful: 3, late: 2, busy: 1 }))[0]).toBe(
      "Unreliable slices: 3 of 30: 2 late, 1 with a busy thread",
    );
  });

  it("says unknown with its reason, never 0", () => {
    const unknown = validity({ is_known: false, lateness_p99_ns: null, busy_ratio: null });
    expect(lines(upload, unknown)).toEqual([]);
    expect(headline(upload, false, unknown)).toEqual([
      { tone: "open", text: "how late the generator itself was is not known: a log of ACT does not say" },
    ]);
    expect(lines(runDetail(), validity({ busy_ratio: null }))[2]).toBe(
      "Busiest thread: unknown: the agent of this run does not say",
    );
    expect(whyUnknown({ source: "upload", tool: "tailroom-agent" })).toBe(whyUnknown({ source: "agent", tool: null }));
    expect(whyUnknown({ source: "upload", tool: null })).toBe("the uploaded log does not say");
  });

  it("begins with one sentence", () => {
    const words = (one: Validity | null, run = runDetail(), live = false): string[] =>
      headline(run, live, one).map((part) => `${part.tone}: ${part.text}`);
    expect(words(validity())).toEqual(["clear: none of 30 slices is unreliable"]);
    expect(words(validity(), runDetail(), true)).toEqual(["clear: none of 30 slices is unreliable so far"]);
    expect(words(validity({ doubtful: 1 }))).toEqual(["doubt: 1 of 30 slices is unreliable"]);
    expect(words(validity({ doubtful: 2 }))).toEqual(["doubt: 2 of 30 slices are unreliable"]);
    expect(words(validity({ lateness_p99_ns: null }))).toEqual([
      "open: none of 30 slices is unreliable, as far as is known",
    ]);
    expect(words(validity({ slices: 1 }))).toEqual(["clear: the only slice is reliable"]);
    expect(words(validity({ slices: 0 }), runDetail(), true)).toEqual(["open: no slice has been judged yet"]);
    expect(words(null, runDetail(), true)).toEqual(["open: no slice has been judged yet"]);
    expect(words(null)).toEqual([
      "open: how late the generator itself was is not known: the agent of this run does not say, newer ones do",
    ]);
    expect(words(validity(), runDetail({ closed_loop: true }))[0]).toMatch(/^open: the generator waited for each/);
  });

  it("repeats what a verdict could not decide, once", () => {
    const open = exceedanceVerdict({
      verdict: "INDETERMINATE",
      reason: "generator",
      reason_text: "2 of 30 slices are unreliable, and without them it passes",
    });
    expect(headline(runDetail({ verdicts: [open, open] }), false, validity())).toEqual([
      { tone: "doubt", text: "2 of 30 slices are unreliable, and without them it passes" },
    ]);
    expect(headline(runDetail({ verdicts: [open] }), false, null).map((one) => one.tone)).toEqual(["doubt", "open"]);
  });

  it("takes the most doubtful of what verdicts judged, unknown last", () => {
    const of = (...found: (Validity | null)[]): Validity | null =>
      validityOf(runDetail({ verdicts: found.map((one) => exceedanceVerdict({ validity: one })) }));
    expect(of()).toBeNull();
    expect(of(null, validity({ is_known: false }), validity())).toEqual(validity());
    expect(of(validity(), validity({ doubtful: 2 }), validity({ doubtful: 1 }))?.doubtful).toBe(2);
  });
});

describe("what was asked for and came", () => {
  const lines = (series: TimelineSeries, run = runDetail(), live = false): string[] =>
    loadLines(run, live, [{ series, totals: null }]).map((line) => `${line.name}: ${said(line.value)}`);

  it("counts misses as applied, over the time whose intention is known", () => {
    const series = withTicks({
      count: [1990, 1980, 2000, 9],
      timeouts: [2, 8, 0, 0],
      target_count: [2000, 2000, 2000, null],
    });
    expect(lines(series)).toEqual(["Read: 1.99k of 2.00k ops/s intended (99.67 %)"]);
    expect(lines(withTicks({ count: [2100, 2100, 2100, 2100] }))).toEqual([
      "Read: 2.10k of 2.00k ops/s intended (105.0 %)",
    ]);
  });

  it("is unknown without an intention, and not 0", () => {
    const nothing = withTicks({ target_count: [null, null, null, null] });
    expect(lines(nothing, upload)).toEqual(["Load: unknown: no intended rate is on record"]);
    expect(lines(nothing, runDetail({ closed_loop: true }))).toEqual(["Load: unknown: no rate was intended"]);
  });

  it("of what is done inside another operation has no intention of its own", () => {
    const inside = { ...withTicks({ target_count: [null, null, null, null] }), operation: "read" };
    const outside = { ...base, operation: "transaction" };
    const both = [outside, inside].map((series) => ({ series, totals: null }));
    expect(loadLines(runDetail(), false, both).map((line) => `${line.name}: ${said(line.value)}`)).toEqual([
      "Transaction: 2.00k of 2.00k ops/s intended (100 %)",
      "Read: unknown: it has no schedule of its own",
    ]);
    expect(loadLines(runDetail(), true, [])).toEqual([]);
  });

  it("is what an uploaded file states of the whole run", () => {
    const [first] = upload.series;
    const whole = { ...first!, kind: "histogram" as const, target_count: 20_000, device: null };
    // A device's series beside the sum over all devices is not counted twice.
    const run = { ...upload, measured_duration_ns: 10e9, series: [whole, { ...whole, device: "/dev/sdb" }] };
    const series = withTicks({ target_count: [null, null, null, null] });
    const [line] = loadLines(run, false, [{ series, totals: { count: 19_000, miss_count: 900 } }]);
    expect(said(line!.value)).toBe("1.99k of 2.00k ops/s intended (99.5 %)");
  });

  it("says what is under way only while the run is live, and that it is not counted", () => {
    expect(lines(base)).toHaveLength(1);
    expect(lines(base, runDetail(), true)[1]).toBe("Under way: 3 reads, the oldest for 900 µs: not counted yet");
    const idle = withTicks({ in_flight: [3, 3, 3, 0] });
    expect(lines(idle, runDetail(), true)[1]).toBe("Under way: nothing at the last tick");
    const older = withTicks({ in_flight: [null, null, null, null], oldest_in_flight_ns: [null, null, null, null] });
    expect(lines(older, runDetail(), true)[1]).toBe("Under way: unknown: the agent of this run does not say");
    expect(lines(timeline(0).series[0]!, runDetail(), true)[1]).toBe("Under way: unknown: nothing was counted yet");
  });

  it("does not call the most of a long point the last of it", () => {
    const long = withTicks({
      duration_ns: [1e9, 1e9, 1e9, 144e9],
      oldest_in_flight_ns: [1, 1, 1, 3.1e9],
      in_flight: [1, 1, 1, 1],
    });
    expect(lines(long, runDetail(), true)[1]).toBe(
      "Under way: up to 1 read in the last 2 min 24 s, the oldest for 3.10 s: not counted yet",
    );
  });
});

describe("the picture of lateness", () => {
  it("has what is allowed as a line, and marks points beyond it once there are any", () => {
    const calm = latenessSpec(base, span, 4e9, 100_000)!;
    expect(calm.limits!.map((limit) => [limit.y, plain(limit.label)])).toEqual([[100_000, "allowed 100 µs"]]);
    expect(calm.y.domain[1]).toBeGreaterThan(100_000);
    expect(calm.series.map((one) => one.key)).toEqual(["lateness"]);
    expect(plain(calm.series[0]!.read(calm.rows[0]!))).toBe("40.0 µs");

    const spec = latenessSpec(
      withTicks({ lateness_p99_ns: [0, 2e6, null, 40_000], busy_ratio: [0.2, 0.2, 0.9, null] }),
      span,
      4e9,
      100_000,
    )!;
    expect(spec.y.kind).toBe("log");
    expect(spec.y.domain[0]).toBeLessThan(40_000);
    const late = latenessSpec(withTicks({ lateness_p99_ns: [2e8, 2e6, 2e6, 2e6] }), span, 4e9, 100_000)!;
    expect(late.y.domain[0]).toBeLessThan(100_000);
    expect(late.y.ticks.length).toBeLessThanOrEqual(8);
    expect(spec.series.map((one) => one.key)).toEqual(["lateness", "beyond"]);
    expect(tableOf(spec, spec.series)).toEqual({
      header: ["time_since_start_s", "lateness_p99_ns", "busy_ratio", "beyond_allowed"],
      rows: [
        [0.5, 0, 0.2, null],
        [1.5, 2_000_000, 0.2, "late"],
        [2.5, null, 0.9, "busy"],
        [3.5, 40_000, null, null],
      ],
    });
    // Zero lateness is drawn at the lower end of a logarithmic axis, and read out as 0 s.
    expect(spec.rows[0]!["lateness"]).toBe(spec.y.domain[0]);
    expect(plain(spec.series[0]!.read(spec.rows[0]!))).toBe("0 s");
    expect(spec.series[0]!.read(spec.rows[2]!)).toBeNull();
    expect(plain(spec.series[1]!.read(spec.rows[2]!))).toBe("busy: 90 %");
    expect(spec.series[1]!.read(spec.rows[3]!)).toBeNull();
  });

  it("is not there where nothing is known, zeros are", () => {
    expect(latenessSpec(withTicks({ lateness_p99_ns: [null, null, null, null] }), span, 4e9, 100_000)).toBeNull();
    expect(latenessSpec(withTicks({ lateness_p99_ns: [0, 0, 0, 0] }), span, 4e9, 100_000)).not.toBeNull();
  });
});

describe("the picture of temperature", () => {
  it("keeps a change of a degree small, and unknown apart", () => {
    const spec = temperatureSpec(withTicks({ temperature_celsius: [41, 41.5, null, 42] }), span, 4e9)!;
    expect(spec.y.domain).toEqual([35, 45]);
    expect(plain(spec.series[0]!.read(spec.rows[1]!))).toBe("41.5 °C");
    expect(spec.rows[2]!["celsius"]).toBeNull();
  });

  it("is not there where no temperature is known", () => {
    expect(temperatureSpec(withTicks({ temperature_celsius: [null, null, null, null] }), span, 4e9)).toBeNull();
  });
});
