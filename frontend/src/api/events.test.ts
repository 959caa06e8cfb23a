import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ApiProblem } from "./problem";
import { parseChangedEvent, parseTicksEvent } from "./runFeed";

const golden = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, "../../../docs/contracts/golden", name), "utf8");

describe("golden files of the wire contract", () => {
  it("reads the ticks event whole", () => {
    const text = golden("ticks-event.json");
    const event = parseTicksEvent(text);
    const unknown = {
      lateness_p99_ns: null,
      busy_ns: null,
      in_flight: null,
      oldest_in_flight_ns: null,
      temperature_millicelsius: null,
    };
    const sent = JSON.parse(text) as { ticks: object[] };
    expect(event).toEqual({ ...sent, ticks: sent.ticks.map((tick) => ({ ...unknown, ...tick })) });
    expect(event?.ticks.length).toBeGreaterThan(0);
    expect(event?.ticks.some((tick) => tick.count === 0 && tick.max_ns === null)).toBe(true);
  });

  it("reads what a tick says about the generator and the drive, and refuses what is no number", () => {
    const { ticks } = JSON.parse(golden("ticks-event.json")) as { ticks: object[] };
    const said = {
      lateness_p99_ns: 0,
      busy_ns: 5,
      in_flight: 3,
      oldest_in_flight_ns: null,
      temperature_millicelsius: -1,
    };
    const event = (changes: object): string => JSON.stringify({ run_id: "x", ticks: [{ ...ticks[0], ...changes }] });
    expect(parseTicksEvent(event(said))?.ticks[0]).toMatchObject(said);
    for (const key of Object.keys(said)) expect(parseTicksEvent(event({ [key]: "3" }))).toBeNull();
  });

  it("reads a problem as the API's own words", () => {
    const body: unknown = JSON.parse(golden("problem.json"));
    const problem = ApiProblem.from(422, body);
    expect(problem.code).toBe("batch-invalid");
    expect(problem.status).toBe(422);
    expect(problem.message).toBe((body as { detail: string }).detail.replaceAll("`", ""));
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
