// Test fixture: a transaction verdict as the API returns it. Each test overrides only the fields it checks.
import type { Evaluation, MatchItem } from "@/api/types";
import { RUN_ID } from "./fixtures";

export function evaluation(changes: Partial<Evaluation> = {}): Evaluation {
  return {
    group: "undecided",
    subject: {
      kind: "run",
      label: "First measurement: ACT 1x on bench-01",
      run_id: RUN_ID,
      title: "First measurement: ACT 1x on bench-01",
      host_name: "bench-01",
      workload: "act-storage",
      started_at: "2026-11-20T17:00:00Z",
      operation: "read",
      clock: "response",
      samples: 60_000,
      measured_ns: 30_000_000_000,
      closed_loop: false,
      source: "run",
      provisional: false,
    },
    budget: {
      document: {
        kind: "transaction",
        name: "my-transaction",
        version: 1,
        title: "My transaction",
        question: "Do they?",
        plan: {
          stages: [{ operation: "read", count: 250, fan_out: 1, scheduling: "sequential", overhead_ns: 0 }],
        },
        window_ns: 1_000_000_000,
        reserve_ns: 400_000_000,
        objective_ratio: 0.999,
      },
    },
    verdict: "INDETERMINATE",
    strength: null,
    words: "Undecided: buckets too coarse",
    observed: { verdict: "INDETERMINATE", lower: 0.7787, upper: 1 },
    proven: { verdict: "INDETERMINATE", lower: 0.77, upper: 1 },
    unproven: null,
    operations: [],
    reason: "resolution",
    reason_text: "The buckets are too coarse.",
    decided_by: "a bucket edge at 600 ms",
    stage: "preview",
    method_version: 2,
    detail: "display",
    resolution_bins: 4096,
    p_lower: 0.7787,
    p_estimate: 0.97,
    p_upper: 1,
    p_lower_confident: 0.77,
    p_upper_confident: 1,
    room_lower_ns: null,
    room_upper_ns: 590_000_000,
    quantile_lower_ns: 10_000_000,
    quantile_upper_ns: null,
    n_guaranteed: 1,
    n_possible: 60_000,
    n_text: "1–60,000",
    models: {
      independent: { p_lower: 0.7787, p_estimate: 0.97, p_upper: 1 },
      interval_mixture: null,
      measured: null,
      worst_case: { p_lower: 0, p_upper: 1 },
    },
    cdf: [
      { t_ns: 10_000_000, lower: 0, estimate: 0.1, upper: 0.9 },
      { t_ns: 600_000_000, lower: 0.7787, estimate: 0.97, upper: 1 },
      { t_ns: 1_000_000_000, lower: 0.7787, estimate: 0.99, upper: 1 },
    ],
    rows: [],
    certification: null,
    criteria: [],
    evidence: "model",
    ...changes,
  };
}

export function matchItem(label: string, changes: Partial<MatchItem> = {}): MatchItem {
  const judged = evaluation();
  return {
    ...judged,
    subject: { ...judged.subject, label },
    room_lower_ns: null,
    room_upper_ns: null,
    n_guaranteed: null,
    n_possible: null,
    n_text: null,
    ...changes,
  };
}
