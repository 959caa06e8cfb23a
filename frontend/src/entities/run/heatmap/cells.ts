// Colour scale and texts of a heatmap. All counts come from the API.

import type { Heatmap } from "@/api/types";
import { type Domain, positionOf } from "@/charts/scales";
import { edgesText, edgeText } from "@/entities/verdict/answer";
import { formatExactLatency, formatInteger, formatLatencyInterval, formatSpan } from "@/lib/format";

export type Column = Heatmap["columns"][number];
export type Range = Heatmap["rows"][number];

/** Number of colours, from few to many operations. */
export const STEPS = 7;

/** Returns the colour step of a count on a log scale, 1 to `STEPS`; 0 for no operations. */
export function stepOf(count: number, most: number): number {
  if (count <= 0) return 0;
  if (most <= 1) return STEPS;
  return Math.min(STEPS, 1 + Math.floor((Math.log(count) / Math.log(most)) * (STEPS - 1) + 1e-9));
}

export const mostIn = (map: Heatmap): number =>
  map.columns.reduce((most, column) => column.counts.reduce((a, b) => Math.max(a, b), most), 0);

/** The lowest range can start at 0 and the highest have no end: on the log axis, each then spans a factor of two. */
export const floorOf = ({ lower_ns, upper_ns }: Range): number =>
  lower_ns > 0 ? lower_ns : Math.max(1, (upper_ns ?? 2) / 2);
export const ceilingOf = (range: Range): number => range.upper_ns ?? 2 * floorOf(range);

/** Returns the latency axis of the picture. It includes the limits, so that limits above all latencies are visible. */
export function latencyDomain(rows: readonly Range[], limitsNs: readonly number[]): Domain {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [1e5, 1e7];
  return [Math.min(floorOf(first), ...limitsNs) / 1.1, Math.max(ceilingOf(last), ...limitsNs) * 1.1];
}

/** Returns a latency range in words: `64 ms–128 ms`, `under 1 ms`, `1 s or longer`. */
export function rangeText({ lower_ns: lower, upper_ns: upper }: Range): string {
  if (upper === null) return `${formatExactLatency(lower)} or longer`;
  if (lower === 0) return `under ${formatExactLatency(upper)}`;
  return formatLatencyInterval(lower, upper);
}

export const momentText = (atNs: number): string => (atNs < 1 ? "the start" : formatSpan(atNs));

/** Returns the index of the column at `atNs`, else of the nearest. */
export function columnAt(columns: readonly Column[], atNs: number): number {
  let nearest = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (const [index, { start_ns, duration_ns }] of columns.entries()) {
    const away = Math.max(start_ns - atNs, atNs - (start_ns + duration_ns), 0);
    if (away < distance) [nearest, distance] = [index, away];
  }
  return nearest;
}

/** Returns the range with the most operations and the slowest range; `null` if no operation completed. */
export function peaksOf(map: Heatmap, column: Column): { usual: Range; slowest: Range } | null {
  const largest = column.counts.indexOf(Math.max(...column.counts));
  const usual = map.rows[column.first_row + largest];
  const slowest = map.rows[column.first_row + column.counts.length - 1];
  return usual === undefined || slowest === undefined ? null : { usual, slowest };
}

/** Returns a column in words: `at 39 s for 2 s: 4,000 operations, most of them 256–512 µs, the slowest 64–128 ms`. */
export function columnText(map: Heatmap, column: Column): string {
  const when = `at ${momentText(column.start_ns)} for ${formatSpan(column.duration_ns)}`;
  const missed = column.miss_count === 0 ? "" : `, ${formatInteger(column.miss_count)} without an answer`;
  const peaks = peaksOf(map, column);
  if (peaks === null) return `${when}: no operation completed${missed}`;
  return `${when}: ${formatInteger(column.count)} operations, most of them ${rangeText(peaks.usual)}, the slowest ${rangeText(peaks.slowest)}${missed}`;
}

/** Returns the main finding of the picture in a sentence. */
export function findingText(map: Heatmap): string {
  const last = map.rows.at(-1);
  if (last === undefined) return "No histogram is on record for this part.";
  const slow = map.columns.find((column) => column.first_row + column.counts.length === map.rows.length);
  const where = slow === undefined ? "" : ` in the ${formatSpan(slow.duration_ns)} from ${momentText(slow.start_ns)}`;
  const beyond = last.upper_ns === null ? "" : ` None took ${edgeText(last.upper_ns, "up")} or longer.`;
  // Rounded as in the page's other sentences; the cells have more digits.
  const slowest = last.upper_ns === null ? rangeText(last) : edgesText(last.lower_ns, last.upper_ns);
  return `The slowest took ${slowest}, first${where}.${beyond}`;
}

/** Returns the vertical position of a latency: 0 at the top of the picture, 1 at the bottom. */
export const depthOf = (latencyNs: number, domain: Domain): number => 1 - positionOf(latencyNs, domain, "log");
