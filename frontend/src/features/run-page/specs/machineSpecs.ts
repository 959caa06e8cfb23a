// Charts of the machine during the run, one per quantity, on the run's time axis.
import type { ConcurrentLog } from "@/api/types";
import { axisFromZero, type ChartSpec, numberSeries, type Row, type SeriesSpec } from "@/charts/spec";
import { runTime } from "@/entities/run/runAxes";
import { formatCount } from "@/lib/format";

type Course = ConcurrentLog["courses"][number];

const QUANTITIES = [
  { quantity: "device_busy_percent", title: "Devices: time that they were busy", unit: "%", most: 100 },
  { quantity: "queue_length", title: "Devices: requests in the queue", unit: "requests", most: null },
  { quantity: "device_wait_ms", title: "Devices: mean wait of a request", unit: "ms", most: null },
  { quantity: "cpu_busy_percent", title: "Processors: time that they were busy", unit: "%", most: 100 },
  { quantity: "cpu_iowait_percent", title: "Processors: time that they waited for I/O", unit: "%", most: null },
  { quantity: "memory_used_percent", title: "Memory in use", unit: "%", most: 100 },
  { quantity: "network_kb_per_s", title: "Network: the busier direction", unit: "kB/s", most: null },
] as const;
const COLORS = ["--series-1", "--series-2", "--series-5", "--series-6", "--series-3", "--series-4"] as const;
const MOST_SHOWN = 4;

/** Returns one chart per quantity that a log contains. */
export function machineSpecs(logs: readonly ConcurrentLog[], reachNs: number): ChartSpec[] {
  return QUANTITIES.flatMap(({ quantity, title, unit, most }) => {
    // Series are sorted by name, so that a device has one colour in all charts.
    const courses = logs
      .flatMap((log) => log.courses.filter((course) => course.quantity === quantity))
      .sort((a, b) => (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0));
    if (courses.length === 0) return [];
    const greatest = Math.max(...courses.flatMap((course) => course.values), 0);
    const top = most === null ? greatest || 1 : Math.max(most, greatest);
    return [
      {
        title,
        note: "Of each stretch the largest that the log prints. Everything on the machine counts, not this run alone.",
        ...runTime(reachNs, { plannedNs: reachNs, live: false }),
        y: axisFromZero(unit, top, formatCount),
        rows: rowsOf(courses),
        series: courses.map((course, index) => seriesOf(course.subject, index, unit)),
      },
    ];
  });
}

/** Returns a row at the middle of each interval of any series, with the value of each series at that time. */
function rowsOf(courses: readonly Course[]): Row[] {
  const middles = courses.flatMap(({ start_ns, duration_ns }) =>
    start_ns.map((start, at) => Math.max(0, start + (duration_ns[at] ?? 0) / 2)),
  );
  const xs = [...new Set(middles)].sort((a, b) => a - b);
  const columns = courses.map((course) => covering(course, xs));
  return xs.map((x, row) => ({
    x,
    ...Object.fromEntries(columns.map((column, index) => [`c${index}`, column[row] ?? null])),
  }));
}

function covering({ start_ns, duration_ns, values }: Course, xs: readonly number[]): (number | null)[] {
  let at = 0;
  return xs.map((x) => {
    while (at + 1 < start_ns.length && (start_ns[at + 1] ?? 0) <= x) at += 1;
    const start = start_ns[at] ?? 0;
    return start <= x && x <= start + (duration_ns[at] ?? 0) ? (values[at] ?? null) : null;
  });
}

const seriesOf = (subject: string, index: number, unit: string): SeriesSpec =>
  numberSeries(
    {
      key: `c${index}`,
      label: subject === "CPU" ? "all processors" : subject,
      mark: "line",
      color: COLORS[index % COLORS.length] ?? "--series-1",
      dashed: index >= COLORS.length,
      hiddenAtFirst: index >= MOST_SHOWN,
    },
    subject,
    (level) => `${formatCount(level)} ${unit}`,
  );
