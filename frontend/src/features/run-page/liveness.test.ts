import { describe, expect, it } from "vitest";
import { exceedanceVerdict, runDetail } from "@/test/fixtures";
import { elapsedOf, mayChange, silenceMs } from "./liveness";

const at = (iso: string): number => Date.parse(iso);

describe("liveness", () => {
  it("a stream is wanted while anything may change", () => {
    const now = at("2026-11-20T17:00:20Z");
    expect(mayChange(runDetail(), now)).toBe(true);
    expect(mayChange(runDetail({ state: "finishing" }), now)).toBe(true);
    expect(mayChange(runDetail({ state: "finished" }), now)).toBe(true);
    const provisional = exceedanceVerdict({ provisional: true });
    expect(mayChange(runDetail({ state: "finished", verdicts: [provisional] }), now)).toBe(true);
    expect(mayChange(runDetail({ state: "finished", verdicts: [exceedanceVerdict()] }), now)).toBe(false);
    expect(mayChange(runDetail({ state: "finished" }), at("2026-11-20T17:10:00Z"))).toBe(false);
  });

  it("silence is measured by the server's clock until a tick came, then by the tick", () => {
    const now = at("2026-11-20T17:00:13Z");
    expect(silenceMs(runDetail(), now, null)).toBe(9_000);
    expect(silenceMs(runDetail(), now, 700)).toBe(700);
    expect(silenceMs(runDetail(), at("2026-11-20T16:59:00Z"), null)).toBe(0);
    expect(silenceMs(runDetail({ last_data_at: null }), now, null)).toBe(13_000);
  });

  it("elapsed is what the data reach, or what the agent said at the end", () => {
    expect(elapsedOf(runDetail(), 7e9)).toBe(7e9);
    expect(elapsedOf(runDetail(), 0)).toBe(4e9);
    expect(elapsedOf(runDetail({ measured_duration_ns: 29e9 }), 30e9)).toBe(29e9);
  });
});
