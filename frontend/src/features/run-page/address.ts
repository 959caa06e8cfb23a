// Search parameters of a run's page: series and scale of the charts, and the time range of the heatmap in seconds since
// the start of the run.
import { type Change, compact, oneOf, type RawSearch, text } from "@/lib/search";

/** Largest offset in seconds: longer than any run, and exact in nanoseconds. */
const MOST_SECONDS = 8_000_000;

export function runSearch(raw: RawSearch) {
  const [from, to] = [raw["from"], raw["to"]].map(Number) as [number, number];
  const isPart = from >= 0 && to > from && to < MOST_SECONDS;
  return compact({
    from: isPart ? from : undefined,
    to: isPart ? to : undefined,
    operation: text(raw["operation"], 40),
    clock: oneOf(raw["clock"], ["response", "service", "queue", "operation"]),
    scale: oneOf(raw["scale"], ["linear", "log"]),
  });
}

export type RunView = ReturnType<typeof runSearch>;
export type RunChange = Change<RunView>;
