// Example run of the home page: a simulated day. Shorter simulations of users do not count.
import type { RunSummary } from "@/api/types";

const DAY_NS = 86_400e9;

export const isExampleDay = ({ simulated, outcome, measured_duration_ns: measured }: RunSummary): boolean =>
  simulated && outcome === "completed" && measured !== null && measured >= DAY_NS;
