import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseChangedEvent, parseTicksEvent } from "./events";
import { ApiProblem } from "./problem";

const golden = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, "../../../docs/contracts/golden", name), "utf8");

describe("golden files of the wire contract", () => {
  it("reads the ticks event whole", () => {
    const text = golden("ticks-event.json");
    const event = parseTicksEvent(text);
    expect(event).toEqual(JSON.parse(text));
    expect(event?.ticks.length).toBeGreaterThan(0);
    expect(event?.ticks.some((tick) => tick.count === 0 && tick.max_ns === null)).toBe(true);
  });

  it("reads a problem as the API's own words", () => {
    const body: unknown = JSON.parse(golden("problem.json"));
    const problem = ApiProblem.from(422, body);
    expect(problem.code).toBe("batch-invalid");
    expect(problem.status).toBe(422);
    expect(problem.message).toBe((body as { detail: string }).detail);
  });
});

describe("events that are not what they should be", () => {
  it.each(["", "null", "{", '{"run_id":"x"}', '{"run_id":"x","ticks":[{"series_no":0}]}', '{"run_id":7,"ticks":[]}'])(
    "%s is refused",
    (text) => {
      expect(parseTicksEvent(text)).toBeNull();
    },
  );

  it("keeps the changes it knows", () => {
    expect(parseChangedEvent('{"run_id":"x","what":["verdicts","weather"],"state":"running"}')).toEqual({
      run_id: "x",
      what: ["verdicts"],
      state: "running",
    });
    expect(parseChangedEvent('{"run_id":"x","what":["state"]}')?.state).toBeNull();
    expect(parseChangedEvent("[]")).toBeNull();
  });
});
