// Display names of operations, clocks, workloads and outcomes in the API.

import type { PercentileCurve, RunSummary } from "@/api/types";
import { formatInteger, formatSpan } from "@/lib/format";

const OPERATIONS: Record<string, string> = {
  read: "Read",
  write: "Write",
  "large-block-read": "Large-block read",
  "large-block-write": "Large-block write",
  transaction: "Transaction",
};

/** Returns whether an operation name consists of words, unlike a program's name such as `http_request_seconds`. */
const isWords = (operation: string): boolean => /^[A-Za-z-]+$/.test(operation);

export function operationName(operation: string): string {
  const label = OPERATIONS[operation];
  if (label !== undefined) return label;
  if (!isWords(operation)) return operation;
  const text = operation.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the noun for operations of a kind: `reads`, `read`, `http_request_seconds operations`. */
export function operationsName(operation: string, count: number | null = null): string {
  const singular = isWords(operation) ? operationName(operation).toLowerCase() : `${operation} operation`;
  return count === 1 ? singular : `${singular}s`;
}

/** Returns a number of operations: `250 reads`, `1 read`, `754 http_request_seconds operations`. */
export const operationCountText = (operation: string, count: number): string =>
  `${formatInteger(count)} ${operationsName(operation, count)}`;

const CLOCKS: Record<string, { name: string; meaning: string }> = {
  response: {
    name: "response time",
    meaning: "from the moment the schedule intended the operation until it completed",
  },
  service: { name: "service time", meaning: "from the moment the operation was submitted until it completed" },
  queue: { name: "queue time", meaning: "from the moment the schedule intended the operation until it was submitted" },
  operation: { name: "operation time", meaning: "as the tool timed it; where its clock starts is not known" },
};

export const clockName = (clock: string): string => CLOCKS[clock]?.name ?? clock;
export const clockMeaning = (clock: string): string => CLOCKS[clock]?.meaning ?? "a clock this page does not know";

const WORKLOADS: Record<string, string> = {
  "act-storage": "Storage (ACT)",
  "fraud-transaction": "Fraud check",
  fraud: "Fraud ladder",
  keyvalue: "Key-value",
  ycsb: "YCSB",
  "sync-write": "Synchronous writes",
  qualify: "Qualification of a drive",
};

export const WORKLOAD_KINDS: readonly string[] = Object.keys(WORKLOADS);

export const workloadName = (workload: string): string => WORKLOADS[workload] ?? operationName(workload);

/** Workloads that no built-in budget judges. */
const WITHOUT_QUESTION = new Set(["keyvalue", "ycsb", "qualify"]);

/** Returns whether a built-in budget judges the run. For uploaded files, the importer's tool decides. */
export const hasQuestion = (run: { workload: string; source: string }): boolean =>
  run.source !== "agent" || !WITHOUT_QUESTION.has(run.workload);

/** Phases that fill or warm up a database. They contain no user requests, so no budget applies. */
export const PHASE_KINDS = { load: "Load phase", "warm-up": "Warm-up" } as const;

/** Returns the upper bound of the 99th percentile in nanoseconds; `null` if it is unknown. */
export const p99UpperNs = ({ points }: Pick<PercentileCurve, "points">): number | null =>
  points.find(({ quantile }) => quantile >= 0.99)?.upper_ns ?? null;

/** Returns the planned duration or number of operations: `30 s`, `2,000 operations`. */
export function plannedEnd(run: Pick<RunSummary, "planned_operations" | "planned_duration_ns">): string {
  return run.planned_operations === null
    ? formatSpan(run.planned_duration_ns)
    : `${formatInteger(run.planned_operations)} operations`;
}

/** A text, or `null` with the reason for its absence. */
export type Assessment =
  | { readonly text: string; readonly reason: null }
  | { readonly text: null; readonly reason: string };
export type Line = { readonly name: string; readonly value: Assessment };

export const assessed = (text: string): Assessment => ({ text, reason: null });
export const notAssessed = (reason: string | null): Assessment => ({ text: null, reason: reason ?? "not known" });
