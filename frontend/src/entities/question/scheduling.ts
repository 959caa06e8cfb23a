// Scheduling of a transaction's operations: its labels, and parsing of counts.
import { formatInteger } from "@/lib/format";
import { parseWhole } from "@/lib/parse";

export const SCHEDULINGS = ["sequential", "pool", "waves", "parallel"] as const;
export type Scheduling = (typeof SCHEDULINGS)[number];

export const SCHEDULING_CHOICES = [
  { value: "sequential", label: "one after another" },
  { value: "pool", label: "several at a time" },
  { value: "waves", label: "in waves" },
  { value: "parallel", label: "all at once" },
];

export const SCHEDULING_MEANING: Record<string, string> = {
  sequential: "Each begins when the one before has ended.",
  pool: "As soon as one ends, the next begins (a pool).",
  waves: "The next wave begins when the slowest of the wave before has ended (a barrier).",
  parallel: "The slowest of all decides.",
};

/** Largest count in forms. The API accepts larger counts, but such a transaction is a scan. */
const MOST_READS = 100_000;

const isScheduling = (text: string): text is Scheduling => SCHEDULINGS.some((candidate) => candidate === text);

export const needsFanOut = (scheduling: string): boolean => scheduling === "pool" || scheduling === "waves";

export type Counts = { readonly count: number; readonly scheduling: Scheduling; readonly fanOut: number };

const COUNT = { least: 1, most: MOST_READS, what: "how many" } as const;

/** Parses count, scheduling and fan-out together. Calls `say` for each problem, and returns `null` if there is one. */
export function readCounts(
  texts: { count: string; scheduling: string; fanOut: string },
  say: (field: "count" | "scheduling" | "fanOut", problem: string) => void,
): Counts | null {
  const count = parseWhole(texts.count, COUNT);
  if (count.problem !== null) say("count", count.problem);
  const scheduling = texts.scheduling === "" ? "sequential" : texts.scheduling;
  if (!isScheduling(scheduling)) {
    say("scheduling", `“${scheduling}” is not known here: ${SCHEDULINGS.join(", ")}.`);
    return null;
  }
  if (!needsFanOut(scheduling)) {
    if (count.value === null) return null;
    return { count: count.value, scheduling, fanOut: scheduling === "parallel" ? count.value : 1 };
  }
  const fanOut = parseWhole(texts.fanOut, {
    ...COUNT,
    what: "how many at a time",
  });
  if (fanOut.problem !== null) say("fanOut", fanOut.problem);
  if (count.value === null || fanOut.value === null) return null;
  if (fanOut.value > count.value) {
    say("fanOut", `More at a time than there are: ${formatInteger(count.value)}.`);
    return null;
  }
  return { count: count.value, scheduling, fanOut: fanOut.value };
}

/** Returns a stage's scheduling in words: `one after another`, `10 at a time`; empty for a single operation. */
export function schedulingText({
  count,
  scheduling,
  fanOut,
}: { count: number | null } & Omit<Counts, "count">): string {
  if (count === 1) return "";
  switch (scheduling) {
    case "sequential":
      return "one after another";
    case "parallel":
      return "all at once";
    case "waves":
      return `in waves of ${formatInteger(fanOut)}`;
    default:
      return `${formatInteger(fanOut)} at a time`;
  }
}
