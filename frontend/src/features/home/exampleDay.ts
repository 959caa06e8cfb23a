// The example run of the first page: a whole simulated day, and no shorter simulation of a user's own.
import type { RunSummary } from "@/api/types";

const DAY_NS = 86_400e9;

export const isExampleDay = ({ simulated, outcome, measured_duration_ns: measured }: RunSummary): boolean =>
  simulated && outcome === "completed" && measured !== null && measured >= DAY_NS;
