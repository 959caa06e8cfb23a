// Text for the start of a device log relative to its run.
import { expect, test } from "vitest";
import { whereOf } from "./ConcurrentLogs";

const said = (one: Parameters<typeof whereOf>[0]): string => whereOf(one).replaceAll("\u00a0", " ");

const log = {
  run_id: "",
  title: "",
  host_name: "a",
  same_host: true,
  came_together: false,
  clock: "zone" as const,
  start_ns: -60e9,
  duration_ns: 600e9,
  shared_ns: 540e9,
  devices: [],
  courses: [],
};

test("a distance is said with what it rests on", () => {
  expect(said(log)).toBe("begins 1 min before it, covers 9 min of it");
  expect(said({ ...log, start_ns: 0, clock: "local", same_host: null })).toBe(
    "begins with this run, covers 9 min of it; if both clocks have one time zone; the machine is not named by both",
  );
  expect(said({ ...log, clock: "unknown", start_ns: null, shared_ns: null })).toContain("do not say when");
});
