// Charts of the machine: one per quantity, each printed value at its time in the run.
import { expect, test } from "vitest";
import type { ConcurrentLog } from "@/api/types";
import { machineSpecs } from "./machineSpecs";

const course = (subject: string, quantity: string, values: number[]) => ({
  subject,
  quantity,
  start_ns: values.map((_, at) => at * 10e9),
  duration_ns: values.map(() => 10e9),
  values,
});

const log = (courses: ReturnType<typeof course>[]): ConcurrentLog => ({
  run_id: "",
  title: "",
  host_name: null,
  same_host: null,
  came_together: true,
  clock: "zone",
  start_ns: 0,
  duration_ns: 30e9,
  shared_ns: 30e9,
  devices: [],
  courses,
});

test("each quantity has a chart, with all devices of all logs", () => {
  const logs = [
    log([course("sda", "device_busy_percent", [10, 97.31, 20]), course("sdb", "device_busy_percent", [1, 2, 3])]),
    log([course("CPU", "cpu_busy_percent", [40, 50, 60])]),
  ];
  const specs = machineSpecs(logs, 30e9);
  expect(specs.map((spec) => spec.title)).toEqual([
    "Devices: time that they were busy",
    "Processors: time that they were busy",
  ]);
  const [busy, cpu] = specs;
  expect(busy?.series.map((series) => series.label)).toEqual(["sda", "sdb"]);
  expect(busy?.rows.map((row) => row.x)).toEqual([5e9, 15e9, 25e9]);
  expect(busy?.rows[1]).toMatchObject({ c0: 97.31, c1: 2 });
  expect(cpu?.series[0]?.label).toBe("all processors");
  expect(cpu?.y.domain).toEqual([0, 100]);
  expect(cpu?.series[0]?.columns[0]?.value({ x: 0, c0: 40 })).toBe(40);
});

test("logs without a course have no chart, and many devices are not all drawn at first", () => {
  expect(machineSpecs([log([])], 1)).toEqual([]);
  const many = Array.from({ length: 7 }, (_, at) => course(`sd${at}`, "queue_length", [at]));
  const series = machineSpecs([log(many)], 10e9)[0]?.series ?? [];
  expect(series.map((one) => one.hiddenAtFirst)).toEqual([false, false, false, false, true, true, true]);
});

test("a log of longer stretches has its value at every time of the other one", () => {
  const slow = { ...course("CPU", "cpu_busy_percent", [70]), duration_ns: [30e9] };
  const [spec] = machineSpecs([log([course("CPU 1", "cpu_busy_percent", [1, 2, 3])]), log([slow])], 30e9);
  expect(spec?.rows.map((row) => [row["c0"], row["c1"]])).toEqual([
    [70, 1],
    [70, 2],
    [70, 3],
  ]);
});
