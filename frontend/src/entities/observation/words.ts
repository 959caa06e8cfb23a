// Texts for observations of machines.
import type { Efficiency, Observation } from "@/api/observations";
import { formatLatency, formatSpan } from "@/lib/format";

const RELATIONS: Record<Observation["relation"], string> = {
  server: "the server measured",
  "load-generator": "a load generator",
  both: "server and load generator",
  meanwhile: "not named by it",
};

export const relationOf = ({ relation }: Observation): string => RELATIONS[relation];

/** Returns the observed time and the accuracy of its position on the axis. */
export function placeOf({ clock_error_ns, seconds, is_live }: Observation, byOneClock: boolean): string {
  const lasted = `${formatSpan(seconds * 1e9)} observed${is_live ? " so far" : ""}`;
  if (clock_error_ns === null) return `${lasted}, by its own clock: its error is not known.`;
  const error = `${lasted}, placed within ${formatLatency(clock_error_ns, "up")}`;
  return byOneClock ? `${error}.` : `${error} of this installation's clock; the run began by its agent's own clock.`;
}

/** Returns the source of a power figure, and how it was read. */
export function wattsOf({ gauge, of, seconds }: Efficiency): string {
  const how =
    gauge === "processors"
      ? `mean of ${seconds}\u00a0s, from counters of energy`
      : `mean of ${seconds} readings, one a second`;
  return `${of.join(" + ")} (${how})`;
}
